import type { Db } from '../db/database.ts';
import { createSeal, type Seal } from '../seal.ts';
import { Deliverer, type DeliverLog } from './deliver.ts';
import { createDialer, type DialOptions } from './dial.ts';
import { createEnqueue, type Enqueue, type NoticeOptions } from './notice.ts';
import { PublicHosts, type HostRules } from './public-host.ts';
import { createSender } from './send.ts';

/** What the routes need to keep endpoints and to put notices on their way. */
export interface Webhooks {
  /** Where notices may go. */
  hosts: PublicHosts;
  /** Seals the secrets that they are signed with. */
  secrets: Seal;
  enqueue: Enqueue;
}

export interface WebhooksOptions extends NoticeOptions, HostRules {
  /** `API_SECRET` */
  secret: string;
}

export const openWebhooks = (options: WebhooksOptions): Webhooks => ({
  hosts: new PublicHosts(options),
  secrets: createSeal(options.secret, 'webhook secret'),
  enqueue: createEnqueue(options),
});

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
