import type { Pool } from 'pg';
import type { Deps } from '../../env.ts';
import { consume, openRateLimiter, type RateLimiter } from '../../auth/rate-limit.ts';

/**
 * What one act takes of 120 points a minute: 120 looks, 12 changes, and 5 cards, for whoever holds a
 * link could otherwise try stolen cards on it.
 */
const COSTS = { look: 1, change: 10, card: 24 } as const;

/** Cards that may be tried for a plan within a day: a donor has two or three. */
const CARDS_PER_DAY = { points: 20, seconds: 24 * 3600 } as const;

/** True when a plan's budget has run out. */
export async function isRateLimited(
  { rateLimiter }: Pick<Deps, 'rateLimiter'>,
  planId: string,
  action: keyof typeof COSTS,
): Promise<boolean> {
  const { passed } = await consume(rateLimiter, `plan ${action} ${planId}`, COSTS[action]);
  return !passed;
}

/**
 * Counts one more card for a plan. @returns the seconds until the next may be tried, where these were too
 * many: docs/decisions/0076-cards-of-a-plan.md
 */
export async function countCard(
  deps: Pick<Deps, 'rateLimiter' | 'cards'>,
  planId: string,
): Promise<number | undefined> {
  if (await isRateLimited(deps, planId, 'card')) return 60;
  const { state, passed } = await consume(deps.cards, `plan cards ${planId}`);
  return passed ? undefined : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}

/** Counts the cards of a plan over a day, in the database. */
export const createCardLimiter = (pool: Pool): RateLimiter => openRateLimiter(pool, CARDS_PER_DAY);
