import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { forOrganization } from '../../db/organization-scope.ts';

/**
 * Whether a Stripe event of an organization was handled. Checked first, to avoid calls to Stripe.
 *
 * Ids count per organization: one with its own Stripe keys can sign events with the ids of others.
 */
export const isEventHandled = async (
  db: Db,
  organizationId: string,
  id: string,
): Promise<boolean> =>
  (await forOrganization(db, organizationId)
    .selectFrom('processor_event')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

/**
 * SQL condition: the event of the row's organization was handled. It saves the statement of
 * `isEventHandled`.
 */
export const isHandledSql = (organizationColumn: string, id: string | undefined) =>
  sql<boolean>`exists (
    select from processor_event
    where organization_id = ${sql.ref(organizationColumn)} and id = ${id ?? null})`;

/**
 * Marks a Stripe event as handled, in the transaction that saves its result.
 *
 * @param event.isCard false for a payment without a card, which the detection of card testing does not count
 * @returns false if a concurrent delivery of the same event was faster
 */
export const markEventHandled = async (
  tx: Db,
  organizationId: string,
  { id, type, isCard = true }: { id: string; type: string; isCard?: boolean },
): Promise<boolean> =>
  (await forOrganization(tx, organizationId)
    .insertInto('processor_event', { id, type, is_card: isCard })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;
