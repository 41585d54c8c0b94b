import { Hono } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { RateLimiter } from '../rate-limiter.ts';

/** Each request counts against the credential's rate limit, so a page may not send many. */
const STATUS_REQUESTS_PER_DONATION = { points: 12, seconds: 3600 };

/**
 * `GET /payment-intents/{id}` returns the status of a donation that was made through this server.
 *
 * The bearer is the `status_token` from the payment intent response, so that visitors can read the
 * status of their own donations only: docs/decisions/0005-credentials-and-scopes.md
 */
export const paymentIntentStatusRoutes = ({
  sessions,
  upstream,
  visitorTokens,
  campaigns,
}: Deps) => {
  const limiter = new RateLimiter(STATUS_REQUESTS_PER_DONATION);
  return new Hono<Env>().get('/:id', async (c) => {
    const intent = c.req.param('id');
    const lookup = { intent, origin: c.var.origin };
    const authorization = c.req.header('authorization');
    const { form } = await visitorTokens.verifyStatusToken(authorization, lookup);
    await limiter.consumeOrThrow(intent, 'Too many status requests for this donation.');
    const status = await upstream.call(
      (api) => api.getPaymentIntentStatus(intent),
      sessions.organizationOf(form),
    );
    if (status.donation_id) campaigns.expectDonation();
    return c.json(status);
  });
};
