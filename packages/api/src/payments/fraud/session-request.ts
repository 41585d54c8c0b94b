import type { Context } from 'hono';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import { attackUntil } from './attack-mode.ts';
import type { SessionRequest } from './session-guard.ts';

/** Returns the data that the session guard counts for a request with an embed session's token. */
export async function readSessionRequest(
  deps: RequestDeps,
  c: Context<Env>,
): Promise<SessionRequest> {
  const { id, organization } = c.var.credential;
  return {
    session: id,
    organization: organization.id,
    address: deps.getClientAddress(c.req.raw, c.env),
    idempotencyKey: c.req.header('idempotency-key'),
    isAttacked: (await attackUntil(deps.db, organization.id)) !== undefined,
  };
}
