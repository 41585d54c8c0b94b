/**
 * Middleware of the simulated Stripe API that injects faults into a request, before or after it is
 * processed.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';
import type { FaultName } from './faults.ts';
import { API_FAILURE, RATE_LIMIT_ERROR, StripeError } from './stripe-error.ts';

export const injectFaults = createMiddleware<Env>(async (c, next) => {
  const { faults } = c.var.deps;
  const evaluateFault = (name: FaultName) => faults.evaluate(name, c.req.path);
  const { incoming, outgoing } = c.env as unknown as HttpBindings;
  const resetConnection = () => {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  };

  const slowFault = evaluateFault('slow');
  if (slowFault) await sleep(slowFault.ms);
  if (evaluateFault('reset')) return resetConnection();
  if (evaluateFault('rate_limit')) throw new StripeError(429, RATE_LIMIT_ERROR);
  // With an idempotency key, the error is stored and replayed like any response: `idempotency.ts`.
  const hasIdempotencyKey = c.req.method !== 'GET' && c.req.header('idempotency-key') !== undefined;
  if (!hasIdempotencyKey && evaluateFault('server_error'))
    throw new StripeError(API_FAILURE.status, API_FAILURE.error);
  await next();
  if (evaluateFault('lost_response')) c.res = resetConnection();
  else if (evaluateFault('timeout')) {
    if (!outgoing.destroyed) await once(outgoing, 'close');
    c.res = RESPONSE_ALREADY_SENT;
  }
  return undefined;
});
