import type { DonorHasher } from '@connect-embed/contract';
import type { MailConfig } from '../config.ts';
import type { BaseDeps, HttpDeps } from '../http/env.ts';
import type { ColumnEncrypter } from '../lib/column-encrypter.ts';
import type { ManageLinks } from '../mail/manage-link.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { SessionGuard } from './fraud/session-guard.ts';
import type { StoredKeys } from './own-keys/stored-keys.ts';
import type { ProcessorQueue } from './processor-queue.ts';
import type { Processor } from './stripe/processor.ts';

/** The dependencies of background jobs. A worker process has only these. */
export interface WorkerDeps extends BaseDeps {
  processor: Processor;
  /** Finds organizations' own Stripe keys. */
  storedKeys: StoredKeys;
  /** Encrypts organizations' own Stripe keys. */
  keyEncrypter: ColumnEncrypter;
  webhooks: Webhooks;
  mailConfig: MailConfig;
  /** Signs and verifies the links that donors manage their recurring plans with. */
  manageLinks: ManageLinks;
}

/** The dependencies of the API's routes. */
export interface RequestDeps extends WorkerDeps, HttpDeps {
  /** Card-testing protection of donations whose only credential is the token of an embed session. */
  sessionGuard: SessionGuard;
  /** Makes donations wait while Stripe is at its limit. */
  processorQueue: ProcessorQueue;
  /** Hashes network addresses, so that none is stored. */
  hashDonorKey: DonorHasher;
}
