import { challengeLevel, MAX_LEVEL } from '@connect-embed/contract/challenge-level';
// Not from the package's root: that one needs node:cluster and would not run at the edge.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';

/** Tries that are free, in a window that begins with the first of them. */
export const Quota = z.strictObject({ points: z.int().min(1), seconds: z.int().min(1) });
export type Quota = z.infer<typeof Quota>;

/**
 * Counts how hard something is being tried.
 *
 * What many share (a form) must not become hard for all because of one, so it ends at a low level.
 */
export class ChallengeLevel {
  readonly #quota: Quota;
  readonly #maxLevel: number;
  readonly #tries: RateLimiterMemory;

  constructor(quota: Quota, maxLevel: number = MAX_LEVEL) {
    this.#quota = quota;
    this.#maxLevel = maxLevel;
    this.#tries = new RateLimiterMemory({ points: quota.points, duration: quota.seconds });
  }

  /** Counts one try. @returns the level that this try stands at */
  async add(key: string): Promise<number> {
    const { consumedPoints } = await this.#tries.penalty(key, 1);
    return challengeLevel(consumedPoints, this.#quota.points, this.#maxLevel);
  }
}
