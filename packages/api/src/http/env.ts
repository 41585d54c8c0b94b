import type { DonorHasher } from '@connect-embed/contract';
import type { Logger } from 'pino';
import type { Credential } from './credential.ts';
import type { RateLimiter } from '../auth/rate-limit.ts';
import type { SessionGuard } from '../payments/fraud/session-guard.ts';
import type { MailConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { Prepare } from '../db/prepared.ts';
import type { LiveStreams } from '../live/live-streams.ts';
import type { Metrics } from './metrics.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { Processor } from '../payments/stripe/processor.ts';
import type { ManageLinks } from '../mail/manage-link.ts';
import type { Encrypter } from '../lib/encrypter.ts';
import type { PeopleMail } from '../users/people-mail.ts';
import type { People } from '../users/people.ts';
import type { SignInAttempts } from '../users/sign-in-attempts.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** The dependencies of the API, passed to `createApp`. */
export interface Deps {
  db: Db;
  /** Prepares the SQL statements of frequent requests. */
  prepare: Prepare;
  processor: Processor;
  rateLimiter: RateLimiter;
  /** Limits how many cards a donor can try for one recurring plan. */
  cardAttemptLimiter: RateLimiter;
  /** Card-testing protection of donations whose only credential is the token of an embed session. */
  sessionGuard: SessionGuard;
  /** Hashes network addresses, so that none is stored. */
  hashDonorKey: DonorHasher;
  /** The client's network address, undefined if unknown. */
  getClientAddress: (request: Request, env: unknown) => string | undefined;
  /** Encrypts `next_cursor`. */
  cursorEncrypter: Encrypter;
  /** Encrypts responses that are stored for `Idempotency-Key`. */
  responseEncrypter: Encrypter;
  /** Encrypts the visitor token of hosted pages. */
  visitorEncrypter: Encrypter;
  /** Encrypts the dashboard's search terms in the URL of a list. */
  searchEncrypter: Encrypter;
  /** Encrypts the result of a form (flash message) for the page after the redirect. */
  flashEncrypter: Encrypter;
  /** Encrypts the cookie of a browser in which a user has signed in. */
  deviceEncrypter: Encrypter;
  /** Encrypts the secret of an authenticator app between the pages that set it up. */
  twoStepSetupEncrypter: Encrypter;
  /** Folder of the built `connect.js`, for hosted pages. */
  scriptsDir: string;
  /** Live streams of changes (`GET /live`). */
  liveStreams: LiveStreams;
  webhooks: Webhooks;
  mailConfig: MailConfig;
  /** Signs and verifies the links that donors manage their recurring plans with. */
  manageLinks: ManageLinks;
  people: People;
  /** Limits wrong passwords and codes, and requests to reset a password. */
  signInAttempts: SignInAttempts;
  /** Undefined if no e-mail can be sent. */
  peopleMail: PeopleMail | undefined;
  authorizationServer: AuthorizationServer;
  metrics: Metrics;
  /** Bearer token of `/metrics`. */
  metricsToken: string | undefined;
  /** Public URL of this service, without a trailing slash. */
  baseUrl: string;
  /** Folder of the embedded database; undefined if DATABASE_URL is set. */
  embeddedFolder: string | undefined;
  log: Logger;
}

/** The dependencies of a worker process, which serves only health checks and metrics. */
export type WorkerDeps = Pick<
  Deps,
  | 'db'
  | 'prepare'
  | 'processor'
  | 'webhooks'
  | 'mailConfig'
  | 'manageLinks'
  | 'metrics'
  | 'metricsToken'
  | 'baseUrl'
  | 'embeddedFolder'
  | 'log'
>;

/** Variables that middleware sets for handlers. */
export interface Env {
  Variables: {
    requestId: string;
    credential: Credential;
    /** Headers to add to the response: `response-headers.ts`. */
    pendingHeaders?: Readonly<Record<string, string>>;
    /** The page of a list that was read while authenticating the request: `authenticateList`. */
    prefetchedPage?: string | null;
    /** The processor's event in the request, for the log. */
    stripeEvent?: { id: string; type: string };
  };
}
