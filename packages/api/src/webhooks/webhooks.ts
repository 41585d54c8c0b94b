import { createEncrypter, type Encrypter } from '../encrypter.ts';
import { createEnqueueEvent, type EnqueueEvent, type EventOptions } from './enqueue-event.ts';
import { PublicHosts, type HostOptions } from './public-host.ts';

/** What the routes need to keep endpoints and to put notices on their way. */
export interface Webhooks {
  /** Where notices may go. */
  hosts: PublicHosts;
  /** Seals the secrets that they are signed with. */
  secretEncrypter: Encrypter;
  enqueue: EnqueueEvent;
}

export interface WebhooksOptions extends EventOptions, HostOptions {
  /** `API_SECRET` */
  secret: string;
}

export const createWebhooks = (options: WebhooksOptions): Webhooks => ({
  hosts: new PublicHosts(options),
  secretEncrypter: createEncrypter(options.secret, 'webhook secret'),
  enqueue: createEnqueueEvent(options),
});
