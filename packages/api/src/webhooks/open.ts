import { createSeal, type Seal } from '../seal.ts';
import { createEnqueue, type Enqueue, type NoticeOptions } from './notice.ts';
import { PublicHosts, type HostRules } from './public-host.ts';

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
