import type { ErrorType } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';

/** Maximum total wait of a donor who sees a countdown. */
const MAX_TOTAL_WAIT_SECONDS = 120;
/**
 * Maximum retries while an earlier request with the same key is in flight or has crashed. The
 * `Retry-After` header contains the remaining time of its lock.
 */
const MAX_KEY_IN_USE_RETRIES = 8;
/** Delays before retrying a request that got no response or a server error. */
const UNAVAILABLE_DELAYS_SECONDS = [1, 3];

/** Decides whether and when a request is retried. Every retry has the same idempotency key. */
class RetryPolicy {
  #waited = 0;
  #keyInUse = 0;
  #unavailable = 0;

  /** Whole seconds until the next attempt; undefined if a retry cannot help. */
  nextDelay(error: ConnectError): number | undefined {
    const seconds = this.#delayFor(error);
    if (seconds === undefined) return undefined;
    this.#waited += seconds;
    return this.#waited > MAX_TOTAL_WAIT_SECONDS ? undefined : seconds;
  }

  #delayFor({ type, code, retryAfterSeconds }: ConnectError): number | undefined {
    if (type === 'rate_limited') return Math.max(1, retryAfterSeconds ?? 5);
    if (code === 'idempotency_key_in_use') {
      return this.#keyInUse++ < MAX_KEY_IN_USE_RETRIES
        ? Math.max(1, retryAfterSeconds ?? 1)
        : undefined;
    }
    if (type !== 'unavailable' && type !== 'server_error') return undefined;
    const pause = UNAVAILABLE_DELAYS_SECONDS[this.#unavailable++];
    return pause && Math.max(pause, retryAfterSeconds ?? 0);
  }
}

/**
 * Waits between two attempts. `reason` decides which message the donor sees meanwhile, with the
 * `position` of a donation that waits in line.
 */
export type WaitForRetry = (seconds: number, reason: ErrorType, position?: number) => Promise<void>;

/** Repeats a request as long as a retry can help. */
export async function withRetry<Result>(
  attempt: () => Promise<Result>,
  wait: WaitForRetry,
): Promise<Result> {
  const policy = new RetryPolicy();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const seconds = error instanceof ConnectError ? policy.nextDelay(error) : undefined;
      if (seconds === undefined) throw error;
      await wait(seconds, (error as ConnectError).type);
    }
  }
}

/** Waits without showing a message. */
export const waitSeconds = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
