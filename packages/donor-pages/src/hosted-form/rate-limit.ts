import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { consume, RATE_LIMIT, RATE_WINDOW_SECONDS } from '@connect-embed/api/auth/rate-limit';

/**
 * Points that a request consumes. A limiter of 120 points a minute allows 120 visits, sessions of 120
 * visitors, and 30 payment intents.
 */
const POINTS_BY_REQUEST = { view: 1, open: 1, give: RATE_LIMIT / 30 } as const;

/**
 * Rate limiter of the hosted page, per client network and embed session. The page is public, so one
 * client must not use up the rate limit of the organization's credential or of other donors:
 * docs/decisions/0023-hosted-page.md
 *
 * @throws {ConnectError} `rate_limited`; a request after its `Retry-After` is allowed
 */
export const limitHostedRequests = (
  { rateLimiter, getClientAddress }: Deps,
  requestKind: keyof typeof POINTS_BY_REQUEST,
) =>
  createMiddleware<Env, '/:id/:what'>(async (c, next) => {
    const from = networkPrefix(getClientAddress(c.req.raw, c.env) ?? '');
    const key = `hosted ${requestKind} ${c.req.param('id')} ${from}`;
    const { state, isAllowed } = await consume(rateLimiter, key, POINTS_BY_REQUEST[requestKind]);
    if (!isAllowed) {
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw new ConnectError(
        'rate_limited',
        `Too many requests on this page: more than ${RATE_LIMIT / POINTS_BY_REQUEST[requestKind]} in ${RATE_WINDOW_SECONDS} seconds. Try again in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
    }
    await next();
  });
