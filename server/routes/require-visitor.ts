import { invalidRequest } from '@connect-embed/contract';
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';
import type { DonationAttempt } from '../guard/donation-guard.ts';
import type { Visitor, VisitorTokens } from '../sessions/visitor-tokens.ts';

/** Context of a request of one visitor about one donation. */
export type VisitorEnv = Env & { Variables: { visitor: Visitor; idempotencyKey: string } };

/** Middleware that verifies the session token and the `Idempotency-Key`, before the body is read. */
export const requireVisitor =
  (visitors: VisitorTokens): MiddlewareHandler<VisitorEnv> =>
  async (c, next) => {
    c.set('visitor', await visitors.verify(c.req.header('authorization'), c.get('origin')));
    c.set('idempotencyKey', requireIdempotencyKey(c.req.header('idempotency-key')));
    await next();
  };

/** Converts the context to a donation attempt for the guard. */
export function toAttempt(
  c: Context<VisitorEnv>,
  organization: string | undefined,
  address: string | undefined,
): DonationAttempt {
  const { id, form } = c.get('visitor'); // `c.var` would copy all variables at each access.
  const idempotencyKey = c.get('idempotencyKey');
  return { visitor: id, form, idempotencyKey, organization, address };
}

/**
 * Validates the page's `Idempotency-Key`, which is sent to the API unchanged: if it were bound to
 * the token, a retry after a renewed session would be a second donation.
 * docs/decisions/0009-idempotency.md
 */
function requireIdempotencyKey(key: string | undefined): string {
  if (key && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidRequest(
    'Idempotency-Key',
    'is required and must have 1 to 255 printable characters.',
  );
}
