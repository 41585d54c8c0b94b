import type { Db } from '../db/database.ts';
import { Deliverer, type DeliverLog } from './deliver.ts';
import { createDialer, type DialOptions } from './dial.ts';
import type { Webhooks } from './open.ts';
import { createSender } from './send.ts';

export interface DelivererOptions extends DialOptions {
  db: Db;
  webhooks: Webhooks;
  log: DeliverLog;
  /** What the configuration lets be private; said aloud. */
  allowHosts: readonly string[];
}

/** Starts to send what is queued; `stop()` ends it, connections included. */
export function startDeliverer({ db, webhooks, log, allowHosts, ca }: DelivererOptions) {
  if (allowHosts.length > 0) {
    const message =
      'WEBHOOK_ALLOW_HOSTS is set: whoever may register a webhook can make this process call these private hosts. Never set it in production.';
    log.warn({ hosts: allowHosts }, message);
  }
  const { hosts, secrets } = webhooks;
  const dispatcher = createDialer(hosts, { ca });
  const send = createSender({ hosts, dispatcher });
  const deliverer = new Deliverer({ db, secrets, send, log }).start();
  return {
    async stop(graceMs?: number): Promise<void> {
      await deliverer.stop(graceMs);
      await dispatcher.destroy();
    },
  };
}
