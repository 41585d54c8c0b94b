import { invalidRequest } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../env.ts';
import { maskAnswer, notForMasks } from './mask.ts';

/** What may narrow the lists of such a session: nothing that asks for what it may not see. */
const MAY_NARROW = new Set([
  ...['limit', 'cursor', 'updated_since', 'created_from', 'created_to'],
  ...['components', 'interval', 'time_zone'],
  ...['fund_id', 'campaign_id', 'recurring', 'refund_status', 'dispute_status'],
]);

/**
 * Keeps back what a component session's masks name, on whatever route it asks:
 * docs/decisions/0059-least-data.md
 *
 * One place for all routes, in front of them: a route that is new cannot forget it. Whoever has no
 * masks passes without a look at the answer.
 *
 * @throws {ConnectError} `invalid_request` naming the parameter that could tell what is masked
 */
export const enforceMasks = createMiddleware<Env>(async (c, next) => {
  const { masks } = c.get('credential');
  if (!masks?.size) return await next();
  const asked = Object.keys(c.req.query()).find((name) => !MAY_NARROW.has(name));
  if (asked !== undefined) throw invalidRequest(asked, 'is not for a session with masks.');
  await next();
  if (!c.res.ok) return undefined;
  const type = c.res.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return undefined; // Each event is masked by itself.
  if (!type.startsWith('application/json')) throw notForMasks('This answer is');
  c.res = new Response(maskAnswer(await c.res.text(), masks), c.res);
  return undefined;
});
