import { openRateLimiter, type RateLimiter } from '@connect-embed/api/auth/rate-limit';
import type { Config } from '@connect-embed/api/config';
import type { OpenDatabase } from '@connect-embed/api/db/database';
import type { Deps as ApiDeps } from '@connect-embed/api/deps';
import type { Secrets } from '@connect-embed/contract/secrets';

/** Maximum number of cards that may be tried for a subscription in a day. A donor needs two or three. */
const CARDS_PER_DAY = { points: 20, seconds: 24 * 3600 } as const;

/** The dependencies of the pages of donors: those of the API, and their own. */
export interface Deps extends ApiDeps {
  /** Signs the session tokens of hosted forms. */
  sessionSecret: Secrets;
  /** Limits the requests for one recurring plan. */
  rateLimiter: RateLimiter;
  /** Limits how many cards a donor can try for one recurring plan. */
  cardAttemptLimiter: RateLimiter;
  /** Folder of the built `connect.js`. */
  scriptsDir: string;
}

/** Creates the dependencies of the pages of donors. */
export const createDeps = (config: Config, { pool }: OpenDatabase, api: ApiDeps): Deps => ({
  ...api,
  sessionSecret: config.loadOrCreateSecret(),
  rateLimiter: openRateLimiter(pool),
  cardAttemptLimiter: openRateLimiter(pool, CARDS_PER_DAY),
  scriptsDir: config.scriptsDir,
});
