import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Db } from '../../db/schema.ts';
import type { DashboardEnv } from './env.ts';

/**
 * Runs the action of a button and redirects with a message about the result. `conflict` and
 * `unavailable` errors are shown to the person; all other errors are rethrown.
 */
export async function runAction(
  c: Context<DashboardEnv>,
  path: string,
  successText: string,
  operation: () => Promise<unknown>,
  /** Redirect target after an error. */
  errorPath = path,
): Promise<Response> {
  try {
    await operation();
  } catch (error) {
    if (!(error instanceof ConnectError) || !SHOWN_ERRORS.has(error.type)) throw error;
    return await c.var.redirectWithFlash(errorPath, { kind: 'problem', text: error.message });
  }
  return await c.var.redirectWithFlash(path, { kind: 'success', text: successText });
}

/** Types of errors that the person can act on: the record has changed, or Stripe is unavailable. */
const SHOWN_ERRORS = new Set<string>(['conflict', 'unavailable']);

/** Loads the currency of an organization's amounts. */
export async function organizationCurrency(db: Db, organizationId: string): Promise<string> {
  const query = db.selectFrom('organization').select('currency').where('id', '=', organizationId);
  return (await query.executeTakeFirstOrThrow()).currency;
}
