import type { Db } from '../../db/schema.ts';
import { acrossOrganizations, forOrganization } from '../../db/organization-scope.ts';

/** Whether a Stripe event was handled. Checked first, to avoid calls to Stripe. */
export const isEventHandled = async (db: Db, id: string): Promise<boolean> =>
  (await acrossOrganizations(db)
    .selectFrom('processor_event')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

/**
 * Marks a Stripe event as handled, in the transaction that saves its result.
 *
 * @returns false if a concurrent delivery of the same event was faster
 */
export const markEventHandled = async (
  tx: Db,
  organizationId: string,
  { id, type }: { id: string; type: string },
): Promise<boolean> =>
  (await forOrganization(tx, organizationId)
    .insertInto('processor_event', { id, type })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;
