import { challengeLevel, MAX_LEVEL } from '@connect-embed/contract/challenge-level';
// Not from the package's root, which needs node:cluster and would not run on edge platforms.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { z } from 'zod';

/** Number of free attempts in a time window; the window starts with the first attempt. */
export const Quota = z.strictObject({ points: z.int().min(1), seconds: z.int().min(1) });
export type Quota = z.infer<typeof Quota>;

/**
 * Derives the difficulty of the next proof-of-work challenge from the number of recent attempts.
 *
 * A key that many donors share (a form) has a low maximum, so that one attacker does not slow down
 * all of them.
 */
export class ChallengeLevel {
  readonly #quota: Quota;
  readonly #maxLevel: number;
  readonly #attempts: RateLimiterMemory;

  constructor(quota: Quota, maxLevel: number = MAX_LEVEL) {
    this.#quota = quota;
    this.#maxLevel = maxLevel;
    this.#attempts = new RateLimiterMemory({ points: quota.points, duration: quota.seconds });
  }

  /**
   * Counts one attempt.
   *
   * @returns the challenge level of this attempt; 0 requires no proof
   */
  async countAttempt(key: string): Promise<number> {
    const { consumedPoints } = await this.#attempts.penalty(key, 1);
    return challengeLevel(consumedPoints, this.#quota.points, this.#maxLevel);
  }
}
