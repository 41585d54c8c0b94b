import { challengeLevel, MAX_LEVEL } from '@connect-embed/contract/challenge-level';
import { z } from 'zod';
import { MemoryRateLimiter } from '../memory-rate-limiter.ts';

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
  readonly #attempts: MemoryRateLimiter;

  constructor(quota: Quota, maxLevel: number = MAX_LEVEL) {
    this.#quota = quota;
    this.#maxLevel = maxLevel;
    this.#attempts = new MemoryRateLimiter(quota);
  }

  /**
   * Counts one attempt.
   *
   * @returns the challenge level of this attempt; 0 requires no proof
   */
  async countAttempt(key: string): Promise<number> {
    const { consumedPoints } = await this.#attempts.penalty(key);
    return challengeLevel(consumedPoints, this.#quota.points, this.#maxLevel);
  }
}
