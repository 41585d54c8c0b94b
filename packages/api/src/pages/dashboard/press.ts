import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Db } from '../../db/database.ts';
import type { DashboardEnv } from './dashboard.ts';

/**
 * What a button does, then the page that says what it came to. A conflict is an answer for the
 * person who pressed; everything else goes its usual way.
 */
export async function press(
  c: Context<DashboardEnv>,
  path: string,
  done: string,
  act: () => Promise<unknown>,
  /** Where to go when it could not be done. */
  otherwise = path,
): Promise<Response> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ConnectError) || !TOLD.has(error.type)) throw error;
    return await c.var.goOn(otherwise, { kind: 'problem', text: error.message });
  }
  return await c.var.goOn(path, { kind: 'good', text: done });
}

/** What somebody can do something about: the state is another, or the processor is away. */
const TOLD = new Set<string>(['conflict', 'unavailable']);

/** What an organization's amounts are in. */
export async function currencyOf(db: Db, organizationId: string): Promise<string> {
  const query = db.selectFrom('organization').select('currency').where('id', '=', organizationId);
  return (await query.executeTakeFirstOrThrow()).currency;
}
