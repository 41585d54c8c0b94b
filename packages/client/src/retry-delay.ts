import { delayOfRateLimit, type RetryDelay } from '@connect-embed/contract/transport';

/** Wait before the first retry; doubled for each further one. */
const FIRST_DELAY_MS = 500;

/** Codes of `unavailable` that a retry cannot change. */
const FINAL_CODES = new Set(['server_not_found', 'credential_rejected']);

/**
 * Repeats a call after a rate limit, a lost connection or an error of the server. `Retry-After` is
 * obeyed; without it the wait grows, with a random part, so that clients do not return all at once.
 *
 * A DELETE is repeated after a rate limit only: after a lost response it would find nothing.
 */
export const createRetryDelay =
  (maxRetries: number): RetryDelay =>
  (error, { method, attempts }) => {
    if (attempts > maxRetries) return undefined;
    const { type, code, retryAfterSeconds = 0 } = error;
    if (type === 'rate_limited') return delayOfRateLimit(error);
    const mayHaveBeenLost = type === 'server_error' || type === 'unavailable';
    const isRetryable = mayHaveBeenLost
      ? method !== 'DELETE' && !FINAL_CODES.has(code)
      : code === 'idempotency_key_in_use';
    if (!isRetryable) return undefined;
    const delayMs = FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
    return Math.max(delayMs, retryAfterSeconds * 1000);
  };
