/** Faults on the way of a call: before its work, or after it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createMiddleware } from 'hono/factory';
import type { Env } from './app.ts';
import type { FaultName } from './faults.ts';
import { FAILURE, StripeError } from './stripe-error.ts';

/** Stripe's own answer when it is asked too often. */
const TOO_MANY = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message:
    'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
} as const;

export const misfortune = createMiddleware<Env>(async (c, next) => {
  const { faults } = c.var.deps;
  const befalls = (name: FaultName) => faults.roll(name, c.req.path);
  const { incoming, outgoing } = c.env as unknown as HttpBindings;
  const cut = () => {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  };

  const slow = befalls('slow');
  if (slow) await sleep(slow.ms);
  if (befalls('reset')) return cut();
  if (befalls('rate_limit')) throw new StripeError(429, TOO_MANY);
  // With a key it is an answer like any other, which the key brings back: `once.ts`.
  const keyed = c.req.method !== 'GET' && c.req.header('idempotency-key') !== undefined;
  if (!keyed && befalls('server_error')) throw new StripeError(FAILURE.status, FAILURE.error);
  await next();
  if (befalls('lost_answer')) c.res = cut();
  else if (befalls('timeout')) {
    if (!outgoing.destroyed) await once(outgoing, 'close');
    c.res = RESPONSE_ALREADY_SENT;
  }
  return undefined;
});
