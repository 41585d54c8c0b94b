import type { Secrets } from '@connect-embed/contract/secrets';
import { createColumnEncrypter, type ColumnEncrypter } from '../lib/column-encrypter.ts';
import { createEnqueueEvent, type EnqueueEvent, type EnqueueOptions } from './enqueue-event.ts';
import { PublicHosts, type HostOptions } from './public-host.ts';

/** The webhook services that routes use to manage endpoints and to enqueue events. */
export interface Webhooks {
  /** The rule for hosts that events may be sent to. */
  hosts: PublicHosts;
  /** Encrypts the signing secrets of endpoints. */
  secretEncrypter: ColumnEncrypter;
  enqueue: EnqueueEvent;
}

interface WebhooksOptions extends EnqueueOptions, HostOptions {
  /** `API_SECRET` */
  secret: Secrets;
}

export const createWebhooks = (options: WebhooksOptions): Webhooks => ({
  hosts: new PublicHosts(options),
  secretEncrypter: createColumnEncrypter(options.secret, 'webhook secret'),
  enqueue: createEnqueueEvent(options),
});
