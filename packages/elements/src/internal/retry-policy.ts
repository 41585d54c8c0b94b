import type { Failure } from './embed-session.ts';

/** A donor who watches a countdown waits this long in all, not longer. */
const MAX_TOTAL_WAIT_SECONDS = 120;
/** The same request may still be in flight, or have died: the server says how long its lock lasts. */
const MAX_CONFLICT_RETRIES = 8;
/** Seconds before each repetition of a request that got no answer. */
const UNAVAILABLE_DELAYS_SECONDS = [1, 3];

/** Decides whether, and when, one request is made again. It always carries the same key. */
export class RetryPolicy {
  #waited = 0;
  #conflicts = 0;
  #unavailable = 0;

  /** Whole seconds to wait, or undefined when repeating cannot help. */
  nextDelay(error: Failure): number | undefined {
    const seconds = this.#delayFor(error);
    if (seconds === undefined) return undefined;
    this.#waited += seconds;
    return this.#waited > MAX_TOTAL_WAIT_SECONDS ? undefined : seconds;
  }

  #delayFor({ type, retryAfterSeconds }: Failure): number | undefined {
    if (type === 'rate_limited') return Math.max(1, retryAfterSeconds ?? 5);
    if (type === 'conflict') {
      return this.#conflicts++ < MAX_CONFLICT_RETRIES
        ? Math.max(1, retryAfterSeconds ?? 1)
        : undefined;
    }
    if (type !== 'unavailable' && type !== 'server_error') return undefined;
    if (!navigator.onLine) return undefined;
    const pause = UNAVAILABLE_DELAYS_SECONDS[this.#unavailable++];
    return pause && Math.max(pause, retryAfterSeconds ?? 0);
  }
}
