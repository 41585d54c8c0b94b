import type { Failure } from './session.ts';

/** A donor who watches a countdown waits this long in all, not longer. */
const LONGEST_WAIT_SECONDS = 120;
/** The same request may still be in flight, or have died: the server says how long its lock lasts. */
const CONFLICT_TRIES = 8;
/** Seconds before each repetition of a request that got no answer. */
const UNAVAILABLE_WAITS = [1, 3];

/** Decides whether, and when, one request is made again. It always carries the same key. */
export class Patience {
  #waited = 0;
  #conflicts = 0;
  #unavailable = 0;

  /** Whole seconds to wait, or undefined when repeating cannot help. */
  next(error: Failure): number | undefined {
    const seconds = this.#seconds(error);
    if (seconds === undefined) return undefined;
    this.#waited += seconds;
    return this.#waited > LONGEST_WAIT_SECONDS ? undefined : seconds;
  }

  #seconds({ type, retryAfterSeconds }: Failure): number | undefined {
    if (type === 'rate_limited') return Math.max(1, retryAfterSeconds ?? 5);
    if (type === 'conflict') {
      return this.#conflicts++ < CONFLICT_TRIES ? Math.max(1, retryAfterSeconds ?? 1) : undefined;
    }
    if (type !== 'unavailable' && type !== 'server_error') return undefined;
    if (!navigator.onLine) return undefined;
    const pause = UNAVAILABLE_WAITS[this.#unavailable++];
    return pause && Math.max(pause, retryAfterSeconds ?? 0);
  }
}
