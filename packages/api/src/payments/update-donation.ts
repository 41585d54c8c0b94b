import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { countsAsRefunded } from './stripe/map-refunds-disputes.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';
import { donationEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';

import { saveDisputes } from './save-disputes.ts';
import { saveRefunds } from './save-refunds.ts';
import type { DisputeState } from '../db/tables/payments.ts';

/** A payment that was fetched from Stripe, to be saved as a donation. */
export interface PaymentUpdate {
  organizationId: string;
  payment: PaymentSnapshot;
  /** Row version from `nextRowVersion`, drawn before the payment was fetched. */
  rowVersion: number;
  /**
   * The Stripe event that triggered the fetch. Absent if reconciliation or a request triggered it.
   */
  event?: { id: string; type: string };
}

type Tx = Transaction<Database>;
type DonationRow = Selectable<Database['donation']>;

/**
 * Updates the fee, refunds and disputes of a donation from a payment that was fetched from Stripe,
 * unless a newer row version is stored.
 *
 * Enqueues one webhook event for each refund that started or failed and for each dispute that was
 * opened or decided. The lock on the donation's row prevents duplicates.
 *
 * @returns whether anything changed
 */
export async function updateDonation(
  tx: Tx,
  enqueue: EnqueueEvent,
  { organizationId, payment, rowVersion }: Omit<PaymentUpdate, 'event'>,
): Promise<boolean> {
  const donation = await lockDonation(tx, organizationId, payment.paymentIntentId);
  if (!donation || donation.row_version >= rowVersion) return false;
  const refunds = await saveRefunds(tx, donation, payment.refunds);
  const disputes = await saveDisputes(tx, donation, payment.disputes);
  const columns = donationColumns(donation, payment);
  await tx
    .updateTable('donation')
    .set({ ...columns, row_version: rowVersion })
    .where('id', '=', donation.id)
    .execute();
  for (const type of [
    ...Array<'donation.refunded'>(refunds).fill('donation.refunded'),
    ...Array<'donation.disputed'>(disputes.statusChanges).fill('donation.disputed'),
  ]) {
    await enqueue(tx, donationEvent(type, organizationId, donation.id));
  }
  return refunds + disputes.saved > 0 || hasChanged(donation, columns);
}

const lockDonation = (tx: Tx, organizationId: string, paymentIntentId: string) =>
  tx
    .selectFrom('donation')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .forUpdate()
    .executeTakeFirst();

/** Returns the columns of a donation that are derived from its payment at Stripe. */
export function donationColumns(
  donation: Pick<DonationRow, 'amount_cents' | 'payment_method' | 'card_brand'>,
  payment: PaymentSnapshot,
) {
  const { amount_cents } = donation;
  const refundTotal = payment.refunds
    .filter(countsAsRefunded)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  const refundedCents = Math.min(refundTotal, amount_cents);
  return {
    fee_cents: payment.feeCents,
    refunded_amount_cents: refundedCents,
    refund_status: refundedCents === 0 ? 'none' : refundedCents < amount_cents ? 'partial' : 'full',
    dispute_status: disputeStatus(payment),
    disputed_amount_cents: payment.disputedCents,
    payment_method: payment.paymentMethod ?? donation.payment_method,
    card_brand: payment.cardBrand ?? donation.card_brand,
  };
}

/** Returns the names of the columns whose value differs from Stripe. */
export const changedColumns = (
  donation: DonationRow,
  columns: ReturnType<typeof donationColumns>,
) =>
  (Object.keys(columns) as (keyof typeof columns)[]).filter(
    (key) => donation[key] !== columns[key],
  );

const hasChanged = (donation: DonationRow, columns: ReturnType<typeof donationColumns>) =>
  changedColumns(donation, columns).length > 0;

/** With several disputes an open one determines the status, then a lost one, then a won one. */
function disputeStatus({ disputes }: PaymentSnapshot): DisputeState {
  const order: DisputeState[] = ['open', 'lost', 'won'];
  return order.find((state) => disputes.some(({ status }) => status === state)) ?? 'none';
}
