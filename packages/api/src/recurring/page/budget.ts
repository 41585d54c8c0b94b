import type { Deps } from '../../env.ts';
import { consume } from '../../auth/rate-limit.ts';

/**
 * What one act takes of 120 points a minute: 120 looks, 12 changes, and 5 cards, for whoever holds a
 * link could otherwise try stolen cards on it.
 */
const COST = { look: 1, change: 10, card: 24 } as const;

/** True when a plan's budget has run out. */
export async function isTooFast(
  { rateLimiter }: Pick<Deps, 'rateLimiter'>,
  planId: string,
  what: keyof typeof COST,
): Promise<boolean> {
  const { passed } = await consume(rateLimiter, `plan ${what} ${planId}`, COST[what]);
  return !passed;
}
