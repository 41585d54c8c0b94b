import type { Deps } from '../deps.ts';
import { consume } from '@connect-embed/api/auth/rate-limit';

/**
 * Points that an action consumes. A limiter of 120 points a minute allows 120 page views, 12
 * changes and 5 cards. The limit of cards prevents card testing by the holder of a link.
 */
const POINTS_BY_ACTION = { view: 1, change: 10, card: 24 } as const;

/**
 * Consumes the points of an action on a subscription.
 *
 * @returns true if the rate limit is exceeded
 */
export async function isRateLimited(
  { rateLimiter }: Pick<Deps, 'rateLimiter'>,
  planId: string,
  action: keyof typeof POINTS_BY_ACTION,
): Promise<boolean> {
  const { isAllowed } = await consume(
    rateLimiter,
    `plan ${action} ${planId}`,
    POINTS_BY_ACTION[action],
  );
  return !isAllowed;
}

/**
 * Counts one more card for a subscription: docs/decisions/0047-card-testing.md
 *
 * @returns undefined if the card may be tried; otherwise the seconds until the next attempt
 */
export async function countCard(
  deps: Pick<Deps, 'rateLimiter' | 'cardAttemptLimiter'>,
  planId: string,
): Promise<number | undefined> {
  if (await isRateLimited(deps, planId, 'card')) return 60;
  const { state, isAllowed } = await consume(deps.cardAttemptLimiter, `plan cards ${planId}`);
  return isAllowed ? undefined : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}
