import { invalidRequest, type Mask } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../http/env.ts';
import { maskResponse, fieldMaskedError } from './mask-resource.ts';

/** Query parameters that a session with masks may use: none of them filters by a masked field. */
const ALLOWED_PARAMETERS = new Set([
  'limit',
  'cursor',
  'updated_since',
  'created_from',
  'created_to',
  'arrival_from',
  'arrival_to',
  'components',
  'interval',
  'time_zone',
  'fund_id',
  'campaign_id',
  'recurring',
  'refund_status',
  'dispute_status',
  'amount_from_cents',
  'amount_to_cents',
  'payment_method',
  'card_brand',
  'payout_id',
  'status',
  'q', // Searches only fields that the session may see: `resources/search/search.ts`.
]);

/** Sort orders that are allowed with every mask. */
const UNMASKED_SORTS = new Set(['created_at', 'created', 'arrival_date', 'amount_cents']);
const NAME_SORTS = new Set(['donor_name', 'name']);

/** Returns whether a parameter reveals nothing about masked fields. */
function isAllowed(name: string, value: string, masks: ReadonlySet<Mask>): boolean {
  if (name !== 'sort') return ALLOWED_PARAMETERS.has(name);
  const field = value.replace(/^-/, '');
  return UNMASKED_SORTS.has(field) || (NAME_SORTS.has(field) && !masks.has('names'));
}

/**
 * Removes the personal data that the masks of a component session name (names, emails, phones,
 * addresses) from every response: docs/decisions/0059-field-masking.md
 *
 * This middleware runs before all routes, so that a new route is covered too. Requests without
 * masks are passed on unchanged.
 *
 * @throws {ConnectError} `invalid_request` naming a parameter that could reveal a masked field
 */
export const enforceMasks = createMiddleware<Env>(async (c, next) => {
  const { masks } = c.get('credential');
  if (!masks?.size) return await next();
  const queryParameters = Object.entries(c.req.query());
  const forbidden = queryParameters.find(([name, value]) => !isAllowed(name, value, masks));
  if (forbidden) throw invalidRequest(forbidden[0], 'is not available to a session with masks.');
  await next();
  if (!c.res.ok) return undefined;
  const type = c.res.headers.get('content-type') ?? '';
  // `GET /live` masks each event itself, and `ListReader.readAll` each row of an export.
  if (type.startsWith('text/event-stream') || c.get('isExport')) return undefined;
  if (!type.startsWith('application/json')) throw fieldMaskedError('This response is');
  c.res = new Response(maskResponse(await c.res.text(), masks), c.res);
  return undefined;
});
