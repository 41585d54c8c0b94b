import { invalidRequest, type Mask } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../env.ts';
import { maskResponse, notAllowedWithMasks } from './mask-resource.ts';

/** What may narrow the lists of such a session: nothing that asks for what it may not see. */
const ALLOWED_PARAMETERS = new Set([
  ...['limit', 'cursor', 'updated_since', 'created_from', 'created_to'],
  ...['components', 'interval', 'time_zone'],
  ...['fund_id', 'campaign_id', 'recurring', 'refund_status', 'dispute_status'],
  ...[
    'amount_from_cents',
    'amount_to_cents',
    'payment_method',
    'card_brand',
    'payout_id',
    'status',
  ],
  'q', // Searches only what the session may see: `search/search.ts`.
]);

/** What may be sorted by, whatever is masked. */
const UNMASKED_SORTS = /^-?(?:created_at|created|arrival_date|amount_cents)$/;
const NAME_SORTS = /^-?(?:donor_name|name)$/;

/** Whether a parameter tells nothing of what the masks hide. */
function isAllowed(name: string, value: string, masks: ReadonlySet<Mask>): boolean {
  if (name !== 'sort') return ALLOWED_PARAMETERS.has(name);
  return UNMASKED_SORTS.test(value) || (NAME_SORTS.test(value) && !masks.has('names'));
}

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
  const asked = Object.entries(c.req.query());
  const forbidden = asked.find(([name, value]) => !isAllowed(name, value, masks));
  if (forbidden) throw invalidRequest(forbidden[0], 'is not for a session with masks.');
  await next();
  if (!c.res.ok) return undefined;
  const type = c.res.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return undefined; // Each event is masked by itself.
  if (!type.startsWith('application/json')) throw notAllowedWithMasks('This answer is');
  c.res = new Response(maskResponse(await c.res.text(), masks), c.res);
  return undefined;
});
