import { ATTACK_UNTIL_HEADER } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import { attackUntil } from './attack-mode.ts';

/** Sets the response header that tells the calling server until when the organization is under attack, if it is. */
export async function reportAttack(
  { db }: Pick<RequestDeps, 'db'>,
  c: Context<Env>,
): Promise<void> {
  const until = await attackUntil(db, c.var.credential.organization.id);
  if (until) c.header(ATTACK_UNTIL_HEADER, until.toISOString());
}
