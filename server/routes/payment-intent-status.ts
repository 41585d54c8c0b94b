import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import { RateLimiter, rateLimitedError } from '../rate-limits.ts';

/**
 * How often one gift may be asked about: a page asks three times, and again when it is loaded anew. Each
 * question takes a turn of the credential's, which other people's gifts are waiting for.
 */
const STATUS_REQUESTS_PER_DONATION = { points: 12, seconds: 3600 };

/**
 * `GET /payment-intents/{id}`: what became of a gift that was made here, and nothing else.
 *
 * The bearer is the `status_token` that came with the gift, so that a visitor can ask for their
 * own gift only: docs/decisions/0041-what-became-of-a-gift.md
 */
export const paymentIntentStatus = ({ sessions, upstream, visitorTokens, campaigns }: Deps) => {
  const limiter = new RateLimiter(STATUS_REQUESTS_PER_DONATION);
  return new Hono<Env>().get('/:id', async (c) => {
    const intent = c.req.param('id');
    const asked = { intent, origin: c.var.origin };
    const { form } = await visitorTokens.verifyStatusToken(c.req.header('authorization'), asked);
    const waitMs = await limiter.take(intent);
    if (waitMs > 0) throw rateLimitedError('This gift was asked about very often.', waitMs);
    const { organization } = await sessions.get(form);
    const status = await upstream.call((api) => api.getPaymentIntentStatus(intent), organization);
    if (status.donation_id) campaigns.giftRecorded(); // Its meter need not wait for its turn.
    return c.json(status);
  });
};
