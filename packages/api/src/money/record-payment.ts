import type { Transaction } from 'kysely';
import type { WorkerDeps } from '../env.ts';
import type { Database } from '../db/schema.ts';
import { markEventHandled } from '../processor-events/handled-events.ts';
import type { PaymentSnapshot } from '../processor/payments.ts';
import { recordDonation } from '../record-donation.ts';
import { donationEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { updateDonation } from './update-donation.ts';

/** What the processor told of a gift, and what made us ask. */
export interface PaymentUpdate {
  organizationId: string;
  payment: PaymentSnapshot;
  /** Of `nextRowVersion`, drawn before the processor was asked. */
  reading: number;
  /** The event that said where to look; none when we looked by ourselves. */
  event?: { id: string; type: string };
}

/**
 * Sets a gift to what the processor tells of it: the donation, its refunds, disputes and fee, and
 * every notice of what that changed, in one transaction.
 *
 * @returns whether anything changed; undefined when the event had been dealt with
 */
export const recordPayment = (
  { db, webhooks }: Pick<WorkerDeps, 'db' | 'webhooks'>,
  { event, ...reading }: PaymentUpdate,
): Promise<boolean | undefined> =>
  db.transaction().execute(async (tx) => {
    if (event && !(await markEventHandled(tx, reading.organizationId, event))) return undefined;
    return await applyPayment(tx, webhooks.enqueue, reading);
  });

/** The same inside a transaction that also changes something else. */
export async function applyPayment(
  tx: Transaction<Database>,
  enqueue: EnqueueEvent,
  { organizationId, payment, reading }: Omit<PaymentUpdate, 'event'>,
): Promise<boolean> {
  const created = await recordIfNew(tx, organizationId, payment);
  if (created) await enqueue(tx, donationEvent('donation.created', organizationId, created));
  const updated = await updateDonation(tx, enqueue, { organizationId, payment, reading });
  return created !== undefined || updated;
}

/** Donors are touched only for a gift that is new. */
async function recordIfNew(
  tx: Transaction<Database>,
  organizationId: string,
  payment: PaymentSnapshot,
): Promise<string | undefined> {
  const known = await tx
    .selectFrom('donation')
    .select('id')
    .where('processor_payment_intent_id', '=', payment.paymentIntentId)
    .executeTakeFirst();
  return known ? undefined : await recordDonation(tx, organizationId, payment);
}
