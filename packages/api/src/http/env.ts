import type { Secrets } from '@connect-embed/contract/secrets';
import type { Logger } from 'pino';
import type { Db } from '../db/schema.ts';
import type { Prepare } from '../db/prepared.ts';
import type { ReadDatabase } from '../db/read-database.ts';
import type { ColumnEncrypter } from '../lib/column-encrypter.ts';
import type { Encrypter } from '../lib/encrypter.ts';
import type { Credential } from './credential.ts';
import type { Metrics } from './metrics.ts';

/** What `GET /readyz` responds: donations can be made, or nobody has an account here yet. */
export type ReadyStatus = 'ready' | 'waiting_for_setup';

/** The dependencies of every process. Higher layers extend them: `payments/deps.ts`, `deps.ts`. */
export interface BaseDeps {
  db: Db;
  /** Prepares the SQL statements of frequent requests. */
  prepare: Prepare;
  metrics: Metrics;
  /** Bearer token of `/metrics`. */
  metricsToken: Secrets | undefined;
  /** Public URL of this service, without a trailing slash. */
  baseUrl: string;
  /** @throws {ConnectError} `unavailable` with a code, if donations cannot be made or recorded */
  checkReady: () => Promise<ReadyStatus>;
  log: Logger;
}

/** The dependencies of every process that serves API requests. */
export interface HttpDeps extends BaseDeps {
  /** Runs the queries of lists, sums and exports. */
  readDatabase: ReadDatabase;
  /** Returns the client's network address; undefined if it is unknown. */
  getClientAddress: (request: Request, env: unknown) => string | undefined;
  /** Encrypts `next_cursor`. */
  cursorEncrypter: Encrypter;
  /** Encrypts responses that are stored for `Idempotency-Key`. */
  responseEncrypter: ColumnEncrypter;
}

/** Variables that middleware sets for handlers. */
export interface Env {
  Variables: {
    requestId: string;
    credential: Credential;
    /** The response is a CSV file whose rows are already masked: `exportResponse`. */
    isExport?: true;
    /** The Stripe event in the request, for the log. */
    stripeEvent?: { id: string; type: string };
  };
}
