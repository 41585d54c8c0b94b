import { invalidRequest } from '@connect-embed/contract';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../app.ts';
import type { DonationAttempt } from '../guard/donation-guard.ts';
import type { Visitor, VisitorTokens } from '../visitor-tokens.ts';

/** A request of one visitor about one gift. */
export type VisitorEnv = Env & { Variables: { visitor: Visitor; idempotencyKey: string } };

/** Reads whose request it is, and which gift it is about, before its body is looked at. */
export const requireVisitor =
  (visitors: VisitorTokens): MiddlewareHandler<VisitorEnv> =>
  async (c, next) => {
    c.set('visitor', await visitors.verify(c.req.header('authorization'), c.var.origin));
    c.set('idempotencyKey', requireIdempotencyKey(c.req.header('idempotency-key')));
    await next();
  };

/** The same, as the guard counts it. */
export const toAttempt = (
  { visitor, idempotencyKey }: VisitorEnv['Variables'],
  organization: string | undefined,
  address: string | undefined,
): DonationAttempt => ({
  visitor: visitor.id,
  form: visitor.form,
  idempotencyKey,
  organization,
  address,
});

/**
 * The page's own key goes upstream as it is: bound to the token, a repetition after a renewed
 * session would be another gift. docs/decisions/0009-idempotency.md
 */
function requireIdempotencyKey(key: string | undefined): string {
  if (key && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidRequest('Idempotency-Key', 'is required, 1 to 255 printable characters.');
}
