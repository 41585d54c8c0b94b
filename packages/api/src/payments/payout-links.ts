import { sql, type Expression } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';

/**
 * SQL of the payout that a payment belongs to. A payout that failed or was canceled counts only until another
 * payout contains the payment. The payout may be recorded before the donation.
 */
export const payoutOf = (
  tx: Tx,
  organizationId: string,
  paymentIntentId: Expression<string | null>,
) =>
  sql<string | null>`(${forOrganization(tx, organizationId)
    .selectFrom('balance_transaction')
    .innerJoin('payout', 'payout.id', 'balance_transaction.payout_id')
    .select('payout.id')
    .where('balance_transaction.processor_payment_intent_id', '=', paymentIntentId)
    .where('balance_transaction.reporting_category', '=', 'charge')
    .orderBy(sql`payout.status in ('failed', 'canceled')`)
    .orderBy('payout.created_at', 'desc')
    .limit(1)})`;

/** Sets `payout_id` of the donations in a payout. */
export async function linkDonations(tx: Tx, organizationId: string, payoutId: string) {
  const organization = forOrganization(tx, organizationId);
  const payout = payoutOf(
    tx,
    organizationId,
    sql.ref<string | null>('donation.processor_payment_intent_id'),
  );
  await organization
    .updateTable('donation')
    .set({ payout_id: payout })
    .where(
      'processor_payment_intent_id',
      'in',
      organization
        .selectFrom('balance_transaction')
        .where('payout_id', '=', payoutId)
        .where('reporting_category', '=', 'charge')
        .select('processor_payment_intent_id')
        .$castTo<{ processor_payment_intent_id: string }>(),
    )
    .where('payout_id', 'is distinct from', payout)
    .execute();
}

/**
 * SQL that makes transactions that save an organization's payouts wait for transactions that record its
 * donations, and the reverse. Both write the link between a donation and its payout from rows of
 * the other transaction, which they cannot see before it commits.
 *
 * Donations share the lock and are recorded concurrently. Acquire this lock before any row lock
 * that both kinds of transactions need. It is released at the end of the transaction.
 */
export function lockPayoutLinks(organizationId: string, writes: 'donation' | 'payout') {
  const lock = writes === 'donation' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const key = `payout links of ${organizationId}`;
  return sql`${sql.raw(lock)}(hashtextextended(${key}, 0))`;
}
