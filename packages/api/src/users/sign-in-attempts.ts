import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

/** Wrong passwords that one address may bring before it has to wait. */
const ATTEMPTS = 10;
const WINDOW_SECONDS = 15 * 60;

export interface SignInAttempts {
  /** @returns seconds to wait; 0 when another attempt may be made */
  take(email: string): Promise<number>;
  /** A right password forgives the wrong ones before it. */
  forgive(email: string): Promise<void>;
}

/** Links to choose a new password that are mailed to one address in an hour. */
const RESETS = { points: 3, duration: 3600, keyPrefix: 'reset' };

/** Counts attempts by address in the database, so that every process knows them. */
export const openSignInAttempts = (pool: Pool): SignInAttempts =>
  openCount(pool, { points: ATTEMPTS, duration: WINDOW_SECONDS, keyPrefix: 'sign_in' });

/** The same for links that are asked for. */
export const openResetAttempts = (pool: Pool): SignInAttempts => openCount(pool, RESETS);

function openCount(pool: Pool, rule: typeof RESETS): SignInAttempts {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    ...rule,
  });
  const key = (email: string) => email.trim().toLowerCase().slice(0, 200);
  return {
    async take(email) {
      try {
        await limiter.consume(key(email));
        return 0;
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) return Math.ceil(thrown.msBeforeNext / 1000);
        throw thrown;
      }
    },
    async forgive(email) {
      await limiter.delete(key(email));
    },
  };
}
