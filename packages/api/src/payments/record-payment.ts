import type { Transaction } from 'kysely';
import type { WorkerDeps } from './deps.ts';
import type { Database } from '../db/schema.ts';
import { markEventHandled } from './stripe-events/handled-events.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';
import { recordDonation } from './record-donation.ts';
import { donationEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { updateDonation, type PaymentUpdate } from './update-donation.ts';

/**
 * Creates or updates a donation, its refunds, disputes and fee from a payment that was fetched from
 * Stripe. The webhook events for the changes are enqueued in the same transaction.
 *
 * @returns whether anything changed; undefined if the Stripe event was handled before
 */
export const recordPayment = (
  { db, webhooks }: Pick<WorkerDeps, 'db' | 'webhooks'>,
  { event, ...update }: PaymentUpdate,
): Promise<boolean | undefined> =>
  db.transaction().execute(async (tx) => {
    if (event && !(await markEventHandled(tx, update.organizationId, event))) return undefined;
    return await applyPayment(tx, webhooks.enqueue, update);
  });

/** Does the work of `recordPayment` in the caller's transaction. */
export async function applyPayment(
  tx: Transaction<Database>,
  enqueue: EnqueueEvent,
  { organizationId, payment, rowVersion }: Omit<PaymentUpdate, 'event'>,
): Promise<boolean> {
  const created = await recordIfNew(tx, organizationId, payment);
  if (created) await enqueue(tx, donationEvent('donation.created', organizationId, created));
  const updated = await updateDonation(tx, enqueue, { organizationId, payment, rowVersion });
  return created !== undefined || updated;
}

/** Inserts the donation if it does not exist. Only a new donation creates or updates its donor. */
async function recordIfNew(
  tx: Transaction<Database>,
  organizationId: string,
  payment: PaymentSnapshot,
): Promise<string | undefined> {
  const existingDonation = await tx
    .selectFrom('donation')
    .select('id')
    .where('processor_payment_intent_id', '=', payment.paymentIntentId)
    .executeTakeFirst();
  return existingDonation ? undefined : await recordDonation(tx, organizationId, payment);
}
