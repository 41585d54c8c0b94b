const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay before each attempt, the first included: three days and three hours in total. */
const SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const MAX_ATTEMPTS = SCHEDULE_MS.length;

/** Maximum share that is added to a delay, so that simultaneous failures are not retried at the same time. */
const JITTER = 0.1;

/** Maximum delay that a receiver can request with Retry-After. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * The delay after a failed attempt, in milliseconds.
 *
 * @param attemptsMade attempts so far, including the failed one
 * @param retryAfterMs the delay that the receiver requested
 * @param random from 0 to 1; replaced in tests
 * @returns undefined if there is no further attempt
 */
export function delayBeforeNextAttempt(
  attemptsMade: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number | undefined {
  const scheduledMs = SCHEDULE_MS[attemptsMade];
  if (scheduledMs === undefined) return undefined;
  const requestedMs = Math.min(Math.max(retryAfterMs, 0), MAX_RETRY_AFTER_MS);
  return Math.round(Math.max(scheduledMs, requestedMs) * (1 + JITTER * random()));
}

/**
 * Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
 *
 * @returns milliseconds; 0 if the header is invalid
 */
export function readRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
