import type { Context } from 'hono';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import type { SessionRequest } from './session-guard.ts';

/** Returns the data that the session guard counts for a request with an embed session's token. */
export function readSessionRequest(
  { getClientAddress }: RequestDeps,
  c: Context<Env>,
  attackUntil: Date | undefined,
): SessionRequest {
  const { id, organization } = c.var.credential;
  return {
    session: id,
    organization: organization.id,
    address: getClientAddress(c.req.raw, c.env),
    idempotencyKey: c.req.header('idempotency-key'),
    isAttacked: attackUntil !== undefined,
  };
}
