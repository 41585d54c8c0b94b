import { createDonorHasher } from '@connect-embed/contract';
import { clientAddress } from '@connect-embed/contract/client-address';
import type { Logger } from 'pino';
import type { Deps } from '../web/deps.ts';
import { openRateLimiter } from '../auth/rate-limit.ts';
import { SessionGuard } from '../payments/fraud/session-guard.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { AuthorizationServer } from '../oauth/authorization-server.ts';
import { renderOauthError } from '../web/account/oauth-error-page.ts';
import { LiveStreams } from '../live/live-streams.ts';
import { createCardLimiter } from '../web/donor-subscription/rate-limits.ts';
import { createEncrypter } from '../lib/encrypter.ts';
import { openPeopleMail } from '../users/people-mail.ts';
import { People } from '../users/people.ts';
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
    liveStreams: new LiveStreams({ db, prepare: workerDeps.prepare, log }),
    people: new People(db, {
      secret,
      baseUrl,
      useCode: (personId, code) => signInAttempts.useCode(personId, code),
    }),
    signInAttempts,
    peopleMail: openPeopleMail(config.mail),
    authorizationServer: new AuthorizationServer(db, {
      secret,
      baseUrl,
      renderError: renderOauthError,
    }),
    rateLimiter: openRateLimiter(pool),
    cardAttemptLimiter: createCardLimiter(pool),
    sessionGuard: new SessionGuard({ pool, secret }),
    hashDonorKey: createDonorHasher(secret),
    getClientAddress: clientAddress(config.trustProxy),
    cursorEncrypter: createEncrypter(secret, 'cursor'),
    responseEncrypter: createEncrypter(secret, 'answer'),
    visitorEncrypter: createEncrypter(secret, 'visitor'),
    flashEncrypter: createEncrypter(secret, 'flash message'),
    searchEncrypter: createEncrypter(secret, 'search'),
    deviceEncrypter: createEncrypter(secret, 'device'),
    twoStepSetupEncrypter: createEncrypter(secret, 'second factor'),
    scriptsDir: config.scriptsDir,
  };
}
