import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/**
 * Forgets what exists at Stripe only in the previous mode: recurring donations and open payments, which
 * were tests or never made, and the registrations of domains for wallets.
 *
 * @param livemode the mode from now on
 */
export async function forgetObjects(
  tx: Db,
  organizationId: string,
  livemode: boolean,
): Promise<void> {
  const scope = forOrganization(tx, organizationId);
  const now = new Date();
  await scope
    .updateTable('recurring_plan')
    .set({ status: 'canceled', canceled_at: now, next_payment_at: null })
    .where('status', '<>', 'canceled')
    .where('livemode', '<>', livemode)
    .execute();
  await scope
    .updateTable('payment_intent')
    .set({ closed_at: now })
    .where('status', '<>', 'succeeded')
    .where('closed_at', 'is', null)
    .where('livemode', '<>', livemode)
    .execute();
  await scope
    .updateTable('payment_intent')
    .set({ status: 'failed', status_at: now, expected_at: null })
    .where('status', '=', 'processing')
    .where('livemode', '<>', livemode)
    .execute();
  await scope
    .updateTable('payment_domain')
    .set({
      processor_domain_id: null,
      apple_pay: null,
      google_pay: null,
      problem: null,
      checked_at: null,
    })
    .execute();
}

/** Deletes the transactions that no payout contains. The organization was never live, so they are of its test account. */
export const forgetTestBalance = (tx: Db, organizationId: string) =>
  forOrganization(tx, organizationId)
    .deleteFrom('balance_transaction')
    .where('payout_id', 'is', null)
    .execute();
