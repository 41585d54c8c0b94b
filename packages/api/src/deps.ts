import type { Logger } from 'pino';
import type { Deps } from './app.ts';
import { openRateLimiter } from './auth/rate-limit.ts';
import type { Config } from './config.ts';
import type { OpenDatabase } from './db/database.ts';
import { openProcessor } from './processor.ts';
import { createSeal } from './seal.ts';
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
    rateLimiter: openRateLimiter(pool),
    cursors: createSeal(secret, 'cursor'),
    answers: createSeal(secret, 'answer'),
    baseUrl,
    log,
  };
}
