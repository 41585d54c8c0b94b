import type { Logger } from 'pino';
import type { Deps } from './app.ts';
import { openRateLimiter } from './auth/rate-limit.ts';
import type { Config } from './config.ts';
import type { Db, OpenDatabase } from './db/database.ts';
import { openAuthorization } from './oauth/authorization.ts';
import { connectError } from './pages/connect-error.ts';
import { openMetrics } from './metrics.ts';
import { openProcessor } from './processor.ts';
import { createSeal } from './seal.ts';
import { openPeople } from './users/people.ts';
import { openSignInAttempts } from './users/sign-in-attempts.ts';
import { openWebhooks } from './webhooks/open.ts';

/** Builds what the routes stand on, in the service and in its tests alike. */
export function createDeps(config: Config, { db, pool }: OpenDatabase, log: Logger): Deps {
  const { baseUrl } = config;
  const secret = config.secret();
  const processor = openProcessor(config.processor);
  return {
    db,
    processor,
    webhooks: openWebhooks({
      secret,
      baseUrl,
      livemode: processor.livemode,
      allowHosts: config.webhookAllowHosts,
    }),
    people: peopleOf(config, db),
    attempts: openSignInAttempts(pool),
    authorization: openAuthorization(db, { secret, baseUrl, renderError: connectError }),
    rateLimiter: openRateLimiter(pool),
    cursors: createSeal(secret, 'cursor'),
    answers: createSeal(secret, 'answer'),
    visitors: createSeal(secret, 'visitor'),
    scriptsDir: config.scriptsDir,
    metrics: openMetrics(db, pool),
    metricsToken: config.metricsToken,
    baseUrl,
    log,
  };
}

/** The people alone, for what seeds or administers without serving. */
export const peopleOf = (config: Config, db: Db) =>
  openPeople(db, { secret: config.secret(), baseUrl: config.baseUrl });
