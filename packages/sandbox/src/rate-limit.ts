import { createMiddleware } from 'hono/factory';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Env } from './env.ts';
import { RATE_LIMIT_ERROR, StripeError } from './stripe-error.ts';

const WINDOW_MS = 1000;

/**
 * Creates a middleware that limits the requests of an account's secret keys to one endpoint, as Stripe does
 * (https://docs.stripe.com/rate-limits). Requests to `/v1/payment_intents/{id}` count together for all ids.
 *
 * The account is that of the key, so a platform's requests for all its connected accounts count together.
 * Requests of browsers, which have the publishable key, are not limited.
 *
 * @param requestsPerSecond limit in any period of one second; 0 for none
 */
export function limitRequests(requestsPerSecond: number) {
  /** Times of the accepted requests of the last second, by account and endpoint, oldest first. */
  const accepted = new Map<string, number[]>();
  return createMiddleware<Env>(async (c, next) => {
    if (requestsPerSecond > 0 && !c.var.browser) {
      const endpoint = `${c.var.keyAccount} ${c.req.method} ${pathOf(c)}`;
      const now = performance.now();
      const recent = (accepted.get(endpoint) ?? []).filter((time) => now - time < WINDOW_MS);
      accepted.set(endpoint, recent);
      if (recent.length >= requestsPerSecond) {
        c.header('Stripe-Rate-Limited-Reason', 'endpoint-rate');
        throw new StripeError(429, RATE_LIMIT_ERROR);
      }
      recent.push(now);
    }
    await next();
  });
}

/** The path of the request's route, such as `/v1/payment_intents/:id`. Middleware has the method `ALL`. */
const pathOf = (c: Context<Env>) =>
  matchedRoutes(c).find(({ method }) => method === c.req.method)?.path ?? c.req.path;
