import type { Db } from '../db/schema.ts';
import { runDeliveryWorker } from './delivery-worker.ts';
import type { WorkerLog } from '../lib/log.ts';
import { createSsrfSafeAgent, type AgentOptions } from './ssrf-safe-agent.ts';
import type { Webhooks } from './webhooks.ts';
import { createSender } from './send.ts';

interface DeliveryWorkerOptions extends AgentOptions {
  db: Db;
  webhooks: Webhooks;
  log: WorkerLog;
  /** Private hosts that the configuration allows; a warning is logged. */
  allowHosts: readonly string[];
}

/** Starts a delivery worker. Its `stop()` also closes all connections. */
export function startDeliveryWorker({ db, webhooks, log, allowHosts, ca }: DeliveryWorkerOptions) {
  if (allowHosts.length > 0) {
    const message =
      'WEBHOOK_ALLOW_HOSTS is set: anyone who can create a webhook endpoint can make this process call these private hosts. Never set it in production.';
    log.warn({ hosts: allowHosts }, message);
  }
  const { hosts, secretEncrypter } = webhooks;
  const agent = createSsrfSafeAgent(hosts, { ca });
  const send = createSender({ hosts, agent });
  const close = async () => agent.destroy();
  return runDeliveryWorker({ db, secretEncrypter, send, log, close });
}
