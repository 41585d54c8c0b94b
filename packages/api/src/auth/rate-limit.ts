import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Env } from '../http/env.ts';
import type { Db } from '../db/schema.ts';

/** Maximum number of requests of a credential in any window of 60 seconds (spec: Limits). */
const RATE_LIMIT = 120;
const RATE_WINDOW_SECONDS = 60;

/** State of a credential's rate limit after a request was counted. */
export interface Budget {
  /** Requests that remain; null if this request exceeds the limit. */
  remaining: number | null;
  /** Seconds until the next request is possible. */
  seconds: number;
}

const WINDOW = sql`${sql.lit(RATE_WINDOW_SECONDS)} * interval '1 second'`;

/**
 * SQL for the number of stored request times that are before the window ending at `windowEnd`. The
 * stored times are sorted.
 */
const expiredCount = (windowEnd: ReturnType<typeof sql>) =>
  sql`width_bucket(${windowEnd} - ${WINDOW}, stored.request_times)`;

/**
 * SQL that counts one request for the `budget_key` of the `credential` found by the same statement:
 * docs/decisions/0024-rate-limit.md
 *
 * The times of the requests of the last minute are stored, so that no 60 seconds contain more than
 * 120 requests. Rejected requests are not stored. The row is locked during the update, so the count
 * is exact for any number of processes. Times come from the database clock and never decrease
 * within a row.
 */
export const CONSUME_REQUEST_BUDGET = sql`
  insert into request_budget as stored (key, request_times)
  select budget_key, array[clock_timestamp()] from credential
  on conflict (key) do update
    set request_times = stored.request_times[${expiredCount(sql`excluded.request_times[1]`)} + 1 :]
      || greatest(excluded.request_times[1], stored.request_times[cardinality(stored.request_times)])
    where cardinality(stored.request_times) - ${expiredCount(sql`excluded.request_times[1]`)} < ${sql.lit(RATE_LIMIT)}
  returning ${sql.lit(RATE_LIMIT)} - cardinality(stored.request_times) as remaining,
    stored.request_times[1] as oldest`;

/**
 * SQL for the seconds until the oldest request leaves the window, in a statement with `credential`
 * and `consumed`. If the request was rejected, the stored row is read. If there is no row yet, the
 * whole window is returned.
 */
export const SECONDS_UNTIL_NEXT_REQUEST = sql<number>`ceil(extract(epoch from
  coalesce(consumed.oldest,
    (select stored.request_times[${expiredCount(sql`clock_timestamp()`)} + 1]
      from request_budget as stored where stored.key = credential.budget_key),
    clock_timestamp()) + ${WINDOW} - clock_timestamp()))::int`;

/**
 * Sets the `RateLimit` response headers (draft-ietf-httpapi-ratelimit-headers) and rejects a
 * request that exceeds the limit.
 *
 * @throws {ConnectError} `rate_limited`; a request after its `Retry-After` is allowed
 */
export function applyRateLimit(c: Context<Env>, budget: Budget): void {
  const seconds = Math.max(1, budget.seconds);
  c.header('RateLimit-Policy', `"default";q=${RATE_LIMIT};w=${RATE_WINDOW_SECONDS}`);
  c.header('RateLimit', `"default";r=${budget.remaining ?? 0};t=${seconds}`);
  if (budget.remaining !== null) return;
  throw new ConnectError(
    'rate_limited',
    `More than ${RATE_LIMIT} requests in ${RATE_WINDOW_SECONDS} seconds. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

/** Deletes the rate limit state of credentials that sent no request in the last minute. */
export const removeOldBudgets = (db: Db) =>
  sql`delete from request_budget
    where request_times[cardinality(request_times)] < clock_timestamp() - ${WINDOW}`.execute(db);

export type RateLimiter = Pick<RateLimiterPostgres, 'consume'>;

/**
 * Rate limiter for requests without a credential. Its counters are in the database, so that all
 * processes share them.
 */
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

/**
 * Consumes points of a rate limiter.
 *
 * @returns the state of the limiter, and whether the request is allowed
 */
export async function consume(limiter: RateLimiter, key: string, points = 1) {
  try {
    return { state: await limiter.consume(key, points), isAllowed: true };
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { state: thrown, isAllowed: false };
    throw thrown;
  }
}
