import { ConnectError } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '../app.ts';
import type { Credential } from './credential.ts';

/** Requests a credential has in each window (spec: Limits). */
export const RATE_LIMIT = 120;
export const RATE_WINDOW_SECONDS = 60;

export type RateLimiter = Pick<RateLimiterPostgres, 'consume'>;

/** Counts in the database, so that several processes share one count. */
export const openRateLimiter = (pool: Pool): RateLimiter =>
  new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: '',
    points: RATE_LIMIT,
    duration: RATE_WINDOW_SECONDS,
  });

/**
 * Lets a credential do its 120 requests and no more; says in `RateLimit` headers how many are
 * left (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws {ConnectError} `rate_limited`; after its `Retry-After` a request does pass
 */
export const limitRate = (limiter: RateLimiter) =>
  createMiddleware<Env>(async (c, next) => {
    const { state, passed } = await consume(limiter, budgetOf(c.var.credential));
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    c.header('RateLimit-Policy', `"default";q=${RATE_LIMIT};w=${RATE_WINDOW_SECONDS}`);
    c.header('RateLimit', `"default";r=${state.remainingPoints};t=${seconds}`);
    if (!passed) {
      throw new ConnectError(
        'rate_limited',
        `More than ${RATE_LIMIT} requests in ${RATE_WINDOW_SECONDS} seconds; again in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
    }
    await next();
  });

/**
 * Whose count a request falls on. What an embed session does counts for the key or app that minted it,
 * or minting would multiply the limit; a component session reads on its own account, so that
 * people looking at tables never stop gifts.
 */
const budgetOf = ({ kind, id, ownerId }: Credential) =>
  kind === 'component_session' ? id : ownerId;

/** Takes points of a budget; says what is left of it, or when there is some again. */
export async function consume(limiter: RateLimiter, key: string, points = 1) {
  try {
    return { state: await limiter.consume(key, points), passed: true };
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { state: thrown, passed: false };
    throw thrown;
  }
}
