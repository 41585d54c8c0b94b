import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { setResponseHeaders } from '../response-headers.ts';
import type { Env } from '../env.ts';
import type { Db } from '../db/database.ts';

/** Requests a credential has in any window, wherever the window begins (spec: Limits). */
export const RATE_LIMIT = 120;
export const RATE_WINDOW_SECONDS = 60;

/** What is left of a credential's requests when one of them has been counted. */
export interface Budget {
  /** Null when there was none left for this one. */
  remaining: number | null;
  /** Until there is one more. */
  seconds: number;
}

const WINDOW = sql`${sql.lit(RATE_WINDOW_SECONDS)} * interval '1 second'`;

/** How many of the kept times are no longer in the window that ends at a moment. They are sorted. */
const expiredCount = (moment: ReturnType<typeof sql>) =>
  sql`width_bucket(${moment} - ${WINDOW}, kept.taken_at)`;

/**
 * Counts one request for the `budget_key` of the `credential` that a statement has found:
 * docs/decisions/0024-limit-with-the-credential.md
 *
 * The times of the requests of the last minute are kept, so that no 60 seconds ever hold more than
 * 120; a request that is refused is not kept. The row is locked while it changes, which makes the count
 * exact for any number of processes; the clock is the database's, and never goes back in a row.
 */
export const CONSUME_REQUEST_BUDGET = sql`
  insert into request_budget as kept (key, taken_at)
  select budget_key, array[clock_timestamp()] from credential
  on conflict (key) do update
    set taken_at = kept.taken_at[${expiredCount(sql`excluded.taken_at[1]`)} + 1 :]
      || greatest(excluded.taken_at[1], kept.taken_at[cardinality(kept.taken_at)])
    where cardinality(kept.taken_at) - ${expiredCount(sql`excluded.taken_at[1]`)} < ${sql.lit(RATE_LIMIT)}
  returning ${sql.lit(RATE_LIMIT)} - cardinality(kept.taken_at) as remaining,
    kept.taken_at[1] as oldest`;

/**
 * Seconds until the oldest request leaves the window, of a statement with `credential` and `taken`. When
 * nothing was taken the row is read; at worst it is not there yet, and all in it has just come.
 */
export const SECONDS_UNTIL_NEXT_REQUEST = sql<number>`ceil(extract(epoch from
  coalesce(taken.oldest,
    (select kept.taken_at[${expiredCount(sql`clock_timestamp()`)} + 1]
      from request_budget as kept where kept.key = credential.budget_key),
    clock_timestamp()) + ${WINDOW} - clock_timestamp()))::int`;

/**
 * Says in `RateLimit` headers what is left (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws {ConnectError} `rate_limited`; after its `Retry-After` a request does pass
 */
export function applyRateLimit(c: Context<Env>, budget: Budget): void {
  const seconds = Math.max(1, budget.seconds);
  setResponseHeaders(c, {
    'RateLimit-Policy': `"default";q=${RATE_LIMIT};w=${RATE_WINDOW_SECONDS}`,
    RateLimit: `"default";r=${budget.remaining ?? 0};t=${seconds}`,
  });
  if (budget.remaining !== null) return;
  throw new ConnectError(
    'rate_limited',
    `More than ${RATE_LIMIT} requests in ${RATE_WINDOW_SECONDS} seconds; again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

/** Forgets who has not asked for a minute. */
export const removeOldBudgets = (db: Db) =>
  sql`delete from request_budget
    where taken_at[cardinality(taken_at)] < clock_timestamp() - ${WINDOW}`.execute(db);

export type RateLimiter = Pick<RateLimiterPostgres, 'consume'>;

/** Counts what has no credential, in the database: several processes share one count. */
export const openRateLimiter = (
  pool: Pool,
  { points, seconds } = { points: RATE_LIMIT, seconds: RATE_WINDOW_SECONDS },
): RateLimiter =>
  new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: '',
    points,
    duration: seconds,
  });

/** Takes points of a budget; says what is left of it, or when there is some again. */
export async function consume(limiter: RateLimiter, key: string, points = 1) {
  try {
    return { state: await limiter.consume(key, points), passed: true };
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { state: thrown, passed: false };
    throw thrown;
  }
}
