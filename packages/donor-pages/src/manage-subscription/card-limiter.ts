import { openRateLimiter, type RateLimiter } from '@connect-embed/api/auth/rate-limit';
import type { Pool } from 'pg';

/**
 * Maximum number of cards that may be tried for a subscription in a day. A donor needs two or
 * three.
 */
const CARDS_PER_DAY = { points: 20, seconds: 24 * 3600 } as const;

/** Creates the limiter of cards in a day. Its counters are in the database. */
export const createCardLimiter = (pool: Pool): RateLimiter => openRateLimiter(pool, CARDS_PER_DAY);
