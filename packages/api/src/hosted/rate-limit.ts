import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../env.ts';
import { consume, RATE_LIMIT, RATE_WINDOW_SECONDS } from '../auth/rate-limit.ts';

/** What one act takes of a budget of 120 a minute: so 120 visitors may look and 30 may give. */
const COST = { open: 1, give: RATE_LIMIT / 30 } as const;

/**
 * Each network has budgets of its own on the hosted page of an embed session, so that nobody who
 * knows its public address can use up what the organization's credential has, or what other donors
 * have: docs/decisions/0023-hosted-page.md
 *
 * @throws {ConnectError} `rate_limited`; after its `Retry-After` a request does pass
 */
export const limitHostedRequests = (
  { rateLimiter, getClientAddress }: Deps,
  act: keyof typeof COST,
) =>
  createMiddleware<Env, '/:id/:what'>(async (c, next) => {
    const from = networkPrefix(getClientAddress(c.req.raw, c.env) ?? '');
    const key = `hosted ${act} ${c.req.param('id')} ${from}`;
    const { state, passed } = await consume(rateLimiter, key, COST[act]);
    if (!passed) {
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw new ConnectError(
        'rate_limited',
        `More than ${RATE_LIMIT / COST[act]} in ${RATE_WINDOW_SECONDS} seconds on this page; again in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
    }
    await next();
  });
