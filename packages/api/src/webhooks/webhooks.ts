import type { Secrets } from '@connect-embed/contract/secrets';
import { createEncrypter, type Encrypter } from '../lib/encrypter.ts';
import { createEnqueueEvent, type EnqueueEvent, type EnqueueOptions } from './enqueue-event.ts';
import { PublicHosts, type HostOptions } from './public-host.ts';

/** The webhook services that routes use to manage endpoints and to enqueue events. */
export interface Webhooks {
  /** The rule for hosts that events may be sent to. */
  hosts: PublicHosts;
  /** Encrypts the signing secrets of endpoints. */
  secretEncrypter: Encrypter;
  enqueue: EnqueueEvent;
}

interface WebhooksOptions extends EnqueueOptions, HostOptions {
  /** `API_SECRET` */
  secret: Secrets;
}

export const createWebhooks = (options: WebhooksOptions): Webhooks => ({
  hosts: new PublicHosts(options),
  secretEncrypter: createEncrypter(options.secret, 'webhook secret'),
  enqueue: createEnqueueEvent(options),
});
