import { createDonorHasher } from '@connect-embed/contract';
import { clientAddress } from '@connect-embed/contract/client-address';
import type { Logger } from 'pino';
import type { Deps } from './env.ts';
import { openRateLimiter } from './auth/rate-limit.ts';
import { openSessionGuard } from './card-testing/session-guard.ts';
import type { Config } from './config.ts';
import type { Db, OpenDatabase } from './db/database.ts';
import { openAuthorization } from './oauth/authorization.ts';
import { connectError } from './pages/connect-error.ts';
import { Live } from './live/live.ts';
import { openCardLimiter } from './recurring/page/budget.ts';
import { createSeal } from './seal.ts';
import { openPeopleMail } from './users/people-mail.ts';
import { openPeople } from './users/people.ts';
import type { UseCode } from './users/second-factor.ts';
import { openSignInAttempts } from './users/sign-in-attempts.ts';
import { createWorkDeps } from './work-deps.ts';

/** Builds what the routes stand on, in the service and in its tests alike. */
export function createDeps(config: Config, database: OpenDatabase, log: Logger): Deps {
  const { baseUrl } = config;
  const { db, pool } = database;
  const secret = config.secret();
  const attempts = openSignInAttempts(pool);
  const work = createWorkDeps(config, database, log);
  return {
    ...work,
    live: new Live({ db, prepare: work.prepare, log }),
    people: peopleOf(config, db, attempts.useCode),
    attempts,
    peopleMail: openPeopleMail(config.mail),
    authorization: openAuthorization(db, { secret, baseUrl, renderError: connectError }),
    rateLimiter: openRateLimiter(pool),
    cards: openCardLimiter(pool),
    sessionGuard: openSessionGuard({ pool, secret }),
    donorHash: createDonorHasher(secret),
    address: clientAddress(config.trustProxy),
    cursors: createSeal(secret, 'cursor'),
    answers: createSeal(secret, 'answer'),
    visitors: createSeal(secret, 'visitor'),
    notices: createSeal(secret, 'notice'),
    searches: createSeal(secret, 'search'),
    devices: createSeal(secret, 'device'),
    setups: createSeal(secret, 'second factor'),
    scriptsDir: config.scriptsDir,
  };
}

/** The people alone, for what seeds or administers without serving. */
export const peopleOf = (config: Config, db: Db, useCode?: UseCode) =>
  openPeople(db, { secret: config.secret(), baseUrl: config.baseUrl, ...(useCode && { useCode }) });
