import type { Db } from '../db/database.ts';

/** True when an event has been dealt with; asked first, to spare the processor a question. */
export const isEventHandled = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('processor_event').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined;

/**
 * Notes, in the transaction that deals with it, that an event has been dealt with.
 *
 * @returns false when another delivery of the same event was first
 */
export const markEventHandled = async (
  tx: Db,
  organizationId: string,
  { id, type }: { id: string; type: string },
): Promise<boolean> =>
  (await tx
    .insertInto('processor_event')
    .values({ id, type, organization_id: organizationId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;
