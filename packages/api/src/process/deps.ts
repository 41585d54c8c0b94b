import { createDonorHasher } from '@connect-embed/contract';
import { clientAddress } from '@connect-embed/contract/client-address';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { Deps } from '../deps.ts';
import { openRateLimiter } from '../auth/rate-limit.ts';
import { ReadDatabase } from '../db/read-database.ts';
import type { BaseDeps } from '../http/env.ts';
import { ProcessorQueue } from '../payments/processor-queue.ts';
import { SessionGuard } from '../payments/fraud/session-guard.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { renderOauthError } from '@connect-embed/dashboard/consent/oauth-error-page';
import { LiveStreams } from '../live/live-streams.ts';
import { createCardLimiter } from '@connect-embed/donor-pages/manage-subscription/rate-limits';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { createEncrypter } from '../lib/encrypter.ts';
import { openPeopleMail } from '../users/people-mail.ts';
import type { UseCode } from '../users/second-factor.ts';
import { SignInAttempts } from '../users/sign-in-attempts.ts';
import { createWorkerDeps } from './worker.ts';

/** Creates the dependencies of the routes. */
export function createDeps(config: Config, database: OpenDatabase, log: Logger): Deps {
  const { baseUrl } = config;
  const { db, pool } = database;
  const secret = config.loadOrCreateSecret();
  const signInAttempts = new SignInAttempts(pool);
  const workerDeps = createWorkerDeps(config, database, log);
  return {
    ...workerDeps,
    readDatabase: openReadDatabase(database, workerDeps),
    liveStreams: new LiveStreams({ db, prepare: workerDeps.prepare, log }),
    // The libraries for sign-in and OAuth are a third of the code that a process would load at its
    // start.
    loadPeople: loadOnce(async () => {
      const { People } = await import('../users/people.ts');
      const useCode: UseCode = (personId, code) => signInAttempts.useCode(personId, code);
      return new People(db, { secret, baseUrl, useCode });
    }),
    signInAttempts,
    peopleMail: openPeopleMail(config.mail),
    loadAuthorizationServer: loadOnce(async () => {
      const { AuthorizationServer } = await import('../oauth/authorization-server.ts');
      return new AuthorizationServer(db, { secret, baseUrl, renderError: renderOauthError });
    }),
    rateLimiter: openRateLimiter(pool),
    cardAttemptLimiter: createCardLimiter(pool),
    sessionGuard: new SessionGuard({ pool, secret }),
    processorQueue: new ProcessorQueue({
      db,
      storedKeys: workerDeps.storedKeys,
      requestsPerSecond: config.stripeRequestsPerSecond,
    }),
    hashDonorKey: createDonorHasher(secret),
    getClientAddress: clientAddress(config.trustProxy),
    cursorEncrypter: createEncrypter(secret, 'cursor'),
    responseEncrypter: createColumnEncrypter(secret, 'answer'),
    serverBaseUrl: config.serverBaseUrl,
    serverApiKey: config.serverApiKey,
    visitorEncrypter: createEncrypter(secret, 'visitor'),
    flashEncrypter: createEncrypter(secret, 'flash message'),
    searchEncrypter: createEncrypter(secret, 'search'),
    deviceEncrypter: createEncrypter(secret, 'device'),
    twoStepSetupEncrypter: createEncrypter(secret, 'second factor'),
    scriptsDir: config.scriptsDir,
  };
}

function openReadDatabase({ db, replica }: OpenDatabase, { metrics, log }: BaseDeps): ReadDatabase {
  const reads = new Counter({
    name: 'connect_replica_reads_total',
    help: 'Reads of lists, sums and exports since DATABASE_REPLICA_URL is set, by the database that served them.',
    labelNames: ['database'],
    registers: [metrics.register],
  });
  return new ReadDatabase({
    primary: db,
    replica,
    onRead: (database) => reads.inc({ database }),
    onReplicaError: (error) =>
      log.warn({ error: (error as Error).message }, 'the replica could not be read'),
  });
}

/**
 * Returns a function that calls `load` at its first call and returns the same result from then on. A
 * process that never needs a large library therefore starts without it.
 */
function loadOnce<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= load());
}
