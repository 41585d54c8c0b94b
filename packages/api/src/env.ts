import type { DonorHasher } from '@connect-embed/contract';
import type { Logger } from 'pino';
import type { Credential } from './auth/credential.ts';
import type { RateLimiter } from './auth/rate-limit.ts';
import type { SessionGuard } from './card-testing/session-guard.ts';
import type { MailConfig } from './config.ts';
import type { Db } from './db/database.ts';
import type { Prepare } from './db/prepared.ts';
import type { LiveStreams } from './live/live-streams.ts';
import type { Metrics } from './metrics.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import type { Processor } from './processor/processor.ts';
import type { ManageLinks } from './recurring/manage-link.ts';
import type { Encrypter } from './encrypter.ts';
import type { PeopleMail } from './users/people-mail.ts';
import type { People } from './users/people.ts';
import type { SignInAttempts } from './users/sign-in-attempts.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** Everything that the routes need from outside; there is no other way in. */
export interface Deps {
  db: Db;
  /** For what every request asks of the database. */
  prepare: Prepare;
  processor: Processor;
  rateLimiter: RateLimiter;
  /** Counts the cards that are tried for a plan. */
  cards: RateLimiter;
  /** Before gifts that come with an embed session alone. */
  sessionGuard: SessionGuard;
  /** Hashes network addresses, so that none is kept. */
  donorHash: DonorHasher;
  /** The network address of whoever asks, where it is known. */
  getClientAddress: (request: Request, env: unknown) => string | undefined;
  /** Seals `next_cursor`. */
  cursors: Encrypter;
  /** Seals the answers that are kept for repetitions. */
  responseEncrypter: Encrypter;
  /** Seals what a visitor of a hosted page holds. */
  visitorEncrypter: Encrypter;
  /** Encrypts what people search for in the dashboard, for the address of the list. */
  searchEncrypter: Encrypter;
  /** Seals what a form came to, for the page after it. */
  notices: Encrypter;
  /** Seals the cookie of a browser in which somebody has signed in. */
  devices: Encrypter;
  /** Seals the secret of an authenticator app between the pages that set it up. */
  setups: Encrypter;
  /** Folder of the built `connect.js`, for hosted pages. */
  scriptsDir: string;
  /** Streams of what changes. */
  live: LiveStreams;
  webhooks: Webhooks;
  mail: MailConfig;
  /** Signs and reads what donors change their plans with. */
  links: ManageLinks;
  people: People;
  /** Counts wrong passwords and codes, and links to choose a new password. */
  signInAttempts: SignInAttempts;
  /** Absent where no mail leaves. */
  peopleMail: PeopleMail | undefined;
  authorization: AuthorizationServer;
  metrics: Metrics;
  /** Opens `/metrics`. */
  metricsToken: string | undefined;
  /** Where others reach this service. */
  baseUrl: string;
  /** Folder of the embedded database; undefined where DATABASE_URL is set. */
  embeddedFolder: string | undefined;
  log: Logger;
}

/** The part of it that a process needs which answers nobody: no people, no pages, no streams. */
export type WorkerDeps = Pick<
  Deps,
  | 'db'
  | 'prepare'
  | 'processor'
  | 'webhooks'
  | 'mail'
  | 'links'
  | 'metrics'
  | 'metricsToken'
  | 'baseUrl'
  | 'embeddedFolder'
  | 'log'
>;

/** What middleware leaves for a handler. */
export interface Env {
  Variables: {
    requestId: string;
    credential: Credential;
    /** Headers that the answer will have: `response-headers.ts`. */
    carried?: Readonly<Record<string, string>>;
    /** Rows that were read when the request was admitted: `authenticateList`. */
    page?: string | null;
    /** The processor's event that a request brought, for the log. */
    event?: { id: string; type: string };
  };
}
