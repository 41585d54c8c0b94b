import type { WorkerDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { countsAsRefunded } from '../processor/map-refunds-disputes.ts';
import type { PaymentSnapshot } from '../processor/payments.ts';
import type { Outcome } from '../processor-events/event-handler.ts';
import { isEventHandled, markEventHandled } from '../processor-events/handled-events.ts';
import { registrationEvent } from '../webhooks/enqueue-event.ts';
import type { Tx } from './capacity.ts';
import { lockRegistration, type RegistrationRef, type RegistrationRow } from './registrations.ts';

/** A payment at the processor, and the event that told of it. */
interface Payment {
  organizationId: string;
  account: string;
  paymentIntentId: string;
  /** None when we looked by ourselves. */
  event?: { id: string; type: string };
}

/**
 * Writes down what was returned of a registration's payment at the processor itself, where its own
 * dashboard has a button too.
 *
 * @returns undefined when no registration was paid with it
 */
export async function syncRegistration(
  { db, processor, webhooks }: WorkerDeps,
  { organizationId, account, paymentIntentId, event }: Payment,
): Promise<Outcome | undefined> {
  const found = await findByPaymentIntent(db, organizationId, paymentIntentId);
  if (!found) return undefined;
  if (event && (await isEventHandled(db, event.id))) return 'duplicate';
  const paid = await processor.findSucceededPayment(paymentIntentId, account, 'everything');
  if (!paid) return 'ignored';
  const totalRefundedCents = sumRefunds(paid);
  const ref: RegistrationRef = { organizationId, eventId: found.event_id, id: found.id };
  return await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    const row = await lockRegistration(tx, ref);
    const recorded = await recordRefund(tx, row, totalRefundedCents);
    if (recorded === 'all') {
      await webhooks.enqueue(tx, registrationEvent('registration.refunded', organizationId, row));
    }
    return recorded === 'nothing' ? 'duplicate' : 'recorded';
  });
}

/** The registration whose payment this is. */
const findByPaymentIntent = (db: Db, organizationId: string, paymentIntentId: string) =>
  db
    .selectFrom('registration')
    .select(['id', 'event_id', 'amount_paid_cents', 'refunded_cents'])
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();

const sumRefunds = ({ refunds }: PaymentSnapshot) =>
  refunds.filter(countsAsRefunded).reduce((sum, { amountCents }) => sum + amountCents, 0);

/** What the processor calls returned of a registration's payment and nobody has written down, in words. */
export async function describeUnrecordedRefund(
  { db, processor }: WorkerDeps,
  { organizationId, account, paymentIntentId }: Payment,
): Promise<string | undefined> {
  const row = await findByPaymentIntent(db, organizationId, paymentIntentId);
  const paid =
    row && (await processor.findSucceededPayment(paymentIntentId, account, 'everything'));
  if (!row || !paid) return undefined;
  const refundedCents = Math.min(sumRefunds(paid), row.amount_paid_cents);
  if (refundedCents <= row.refunded_cents) return undefined;
  return `${row.refunded_cents} is recorded as returned for ${row.id}, ${refundedCents} was`;
}

/** @returns `all` when the registration became refunded by it, which is when all of it is back */
async function recordRefund(
  tx: Tx,
  row: RegistrationRow,
  totalRefundedCents: number,
): Promise<'nothing' | 'part' | 'all'> {
  const refunded_cents = Math.min(totalRefundedCents, row.amount_paid_cents);
  if (refunded_cents <= row.refunded_cents) return 'nothing';
  const all = refunded_cents === row.amount_paid_cents;
  await tx
    .updateTable('registration')
    .set({
      refunded_cents,
      refunded_at: new Date(),
      ...(all && { status: 'refunded', check_in_hash: null }),
    })
    .where('id', '=', row.id)
    .execute();
  return all && row.status !== 'refunded' ? 'all' : 'part';
}
