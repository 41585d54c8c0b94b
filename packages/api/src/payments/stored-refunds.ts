import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Database, Tx } from '../db/schema.ts';

/**
 * Age at which a refund request without a response no longer blocks other refunds. Its outcome is
 * then fetched from Stripe.
 */
const REQUEST_TIMEOUT_SECONDS = 60;

/** A row of `refund`: a refund, or a request for one. */
export type StoredRefund = Selectable<Database['refund']> & { is_recent: boolean };

/**
 * Locks and returns the refunds of a donation. A transaction that matches refunds with requests
 * locks all refunds of the donation first, in the order of their ids, so that two transactions
 * neither store a refund twice nor wait for each other.
 */
export const lockRefunds = (
  tx: Tx,
  donation: { id: string; organization_id: string },
): Promise<StoredRefund[]> =>
  forOrganization(tx, donation.organization_id)
    .selectFrom('refund')
    .selectAll()
    .select(
      sql<boolean>`created_at > now() - ${REQUEST_TIMEOUT_SECONDS} * interval '1 second'`.as(
        'is_recent',
      ),
    )
    .where('donation_id', '=', donation.id)
    .orderBy('id')
    .forUpdate()
    .execute();
