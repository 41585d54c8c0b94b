import type { WorkerDeps } from '../deps.ts';
import type { Db, Database } from '../../db/schema.ts';
import { countsAsRefunded } from '../stripe/map-refunds-disputes.ts';
import type { PaymentSnapshot } from '../stripe/payments.ts';
import type { Outcome } from '../stripe-events/event-handler.ts';
import { isEventHandled, markEventHandled } from '../stripe-events/handled-events.ts';
import { registrationEvent } from '../../webhooks/enqueue-event.ts';
import type { Transaction } from 'kysely';
import {
  lockRegistration,
  type RegistrationRef,
  type RegistrationRow,
} from './find-registration.ts';

/** A payment at Stripe, and the event that reported it. */
interface Payment {
  organizationId: string;
  account: string;
  paymentIntentId: string;
  /** Absent if reconciliation triggered the call. */
  event?: { id: string; type: string };
}

/**
 * Records refunds of a registration's payment that were made in Stripe's dashboard.
 *
 * @returns undefined if the payment belongs to no registration
 */
export async function syncRegistration(
  { db, processor, webhooks }: WorkerDeps,
  { organizationId, account, paymentIntentId, event }: Payment,
): Promise<Outcome | undefined> {
  const registration = await findByPaymentIntent(db, organizationId, paymentIntentId);
  if (!registration) return undefined;
  if (event && (await isEventHandled(db, event.id))) return 'duplicate';
  const paid = await processor.findSucceededPayment(paymentIntentId, account, 'everything');
  if (!paid) return 'ignored';
  const totalRefundedCents = sumRefunds(paid);
  const ref: RegistrationRef = {
    organizationId,
    eventId: registration.event_id,
    id: registration.id,
  };
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

/** Finds the registration that was paid with a payment intent. */
const findByPaymentIntent = (db: Db, organizationId: string, paymentIntentId: string) =>
  db
    .selectFrom('registration')
    .select(['id', 'event_id', 'amount_paid_cents', 'refunded_cents'])
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();

const sumRefunds = ({ refunds }: PaymentSnapshot) =>
  refunds.filter(countsAsRefunded).reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * Describes in a sentence a refund at Stripe that is not recorded here. Undefined if there is none.
 */
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
  return `${row.id}: ${row.refunded_cents} is recorded as refunded, but ${refundedCents} was refunded`;
}

/** @returns `all` if the registration is now fully refunded, which changes its status */
async function recordRefund(
  tx: Transaction<Database>,
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
