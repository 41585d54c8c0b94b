import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Db } from '../../db/database.ts';
import type { DashboardEnv } from './dashboard.ts';

/**
 * What a button does, then the page that says what it came to. A conflict is an answer for the
 * person who pressed; everything else goes its usual way.
 */
export async function runAction(
  c: Context<DashboardEnv>,
  path: string,
  successText: string,
  act: () => Promise<unknown>,
  /** Where to go when it could not be done. */
  errorPath = path,
): Promise<Response> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ConnectError) || !SHOWN_ERRORS.has(error.type)) throw error;
    return await c.var.goOn(errorPath, { kind: 'problem', text: error.message });
  }
  return await c.var.goOn(path, { kind: 'good', text: successText });
}

/** What somebody can do something about: the state is another, or the processor is away. */
const SHOWN_ERRORS = new Set<string>(['conflict', 'unavailable']);

/** What an organization's amounts are in. */
export async function organizationCurrency(db: Db, organizationId: string): Promise<string> {
  const query = db.selectFrom('organization').select('currency').where('id', '=', organizationId);
  return (await query.executeTakeFirstOrThrow()).currency;
}
