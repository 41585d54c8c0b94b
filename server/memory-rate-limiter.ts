// Not from the package's root, which needs node:cluster and would not run on edge platforms.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

/**
 * How many visitors, addresses or forms each limiter counts at most. Almost three times the donors of
 * ten minutes in the largest known night of online giving, and about 0.5 kB of memory for each.
 */
export const MAX_KEYS = 50_000;

interface Options {
  points: number;
  seconds: number;
  maxKeys?: number;
}

/**
 * Counts by key in memory, in windows that start with the first count of a key.
 *
 * Has a maximum number of keys, because anybody can become a new visitor with each request. Beyond it
 * the key that came first is forgotten and starts from zero. An attacker gains nothing by that: who
 * has so many other visitors or addresses does not need the forgotten one.
 */
export class MemoryRateLimiter extends RateLimiterMemory {
  readonly #maxKeys: number;
  /** In the order in which they came; also keys whose window has ended. */
  readonly #keys = new Set<string>();

  constructor({ points, seconds, maxKeys = MAX_KEYS }: Options) {
    super({ points, duration: seconds });
    this.#maxKeys = maxKeys;
  }

  override consume(key: string) {
    this.#addKey(key);
    return super.consume(key);
  }

  override penalty(key: string) {
    this.#addKey(key);
    return super.penalty(key, 1);
  }

  override block(key: string, seconds: number) {
    this.#addKey(key);
    return super.block(key, seconds);
  }

  #addKey(key: string): void {
    if (this.#keys.has(key)) return;
    const [oldest] = this.#keys;
    if (this.#keys.size >= this.#maxKeys && oldest !== undefined) {
      this.#keys.delete(oldest);
      void this.delete(oldest);
    }
    this.#keys.add(key);
  }
}
