import { ConnectError } from '@connect-embed/contract';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// Not from the package's root, which needs node:cluster and would not run on edge platforms.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';

/** A number of requests or attempts in a time window, which starts with the first of them. */
export const Limit = z.strictObject({ points: z.int().min(1), seconds: z.int().min(1) });
export type Limit = z.infer<typeof Limit>;

/**
 * How many visitors, addresses or forms each limiter counts at most. Almost three times the donors of
 * ten minutes in the largest known night of online giving, and about 0.5 kB of memory for each.
 */
export const MAX_KEYS = 50_000;

/**
 * Counts by key in memory, in windows that start with the first count of a key.
 *
 * Has a maximum number of keys, because anybody can become a new visitor with each request. Beyond it
 * the key that came first is forgotten and starts from zero. An attacker gains nothing by that: who
 * has so many other visitors or addresses does not need the forgotten one.
 */
export class RateLimiter {
  readonly #memory: RateLimiterMemory;
  readonly #maxKeys: number;
  /** In the order in which they came; also keys whose window has ended. */
  readonly #keys = new Set<string>();

  constructor({ points, seconds }: Limit, maxKeys = MAX_KEYS) {
    this.#memory = new RateLimiterMemory({ points, duration: seconds });
    this.#maxKeys = maxKeys;
  }

  /** Counts one request of the key. Returns 0, or the milliseconds until the next one is allowed. */
  async consume(key: string): Promise<number> {
    this.#addKey(key);
    try {
      await this.#memory.consume(key);
      return 0;
    } catch (limiterState) {
      return Math.max(1, (limiterState as RateLimiterRes).msBeforeNext);
    }
  }

  /** @throws {ConnectError} `rate_limited`; the message begins with the reason */
  async consumeOrThrow(key: string, reason: string): Promise<void> {
    const waitMs = await this.consume(key);
    if (waitMs > 0) throw rateLimitedError(reason, waitMs);
  }

  /** Counts one attempt of the key, also beyond the limit. Returns the number of attempts in the window. */
  async count(key: string): Promise<number> {
    this.#addKey(key);
    return (await this.#memory.penalty(key, 1)).consumedPoints;
  }

  /** Blocks all requests of a key for the given seconds. */
  async block(key: string, seconds: number): Promise<void> {
    this.#addKey(key);
    await this.#memory.block(key, Math.max(1, seconds)); // 0 would block without end.
  }

  #addKey(key: string): void {
    if (this.#keys.has(key)) return;
    const [oldest] = this.#keys;
    if (this.#keys.size >= this.#maxKeys && oldest !== undefined) {
      this.#keys.delete(oldest);
      void this.#memory.delete(oldest);
    }
    this.#keys.add(key);
  }
}

/** A 429 error whose message and `Retry-After` header state the same wait. */
export function rateLimitedError(reason: string, waitMs: number): ConnectError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const retryHint = `Try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`;
  return new ConnectError('rate_limited', `${reason} ${retryHint}`, { retryAfterSeconds });
}
