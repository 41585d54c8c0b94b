import type { WorkerDeps } from '../deps.ts';
import type { Tx } from '../../db/schema.ts';
import type { PaymentContext } from '../payment-context.ts';
import { sumRefunds } from '../stripe/map-refunds-disputes.ts';
import type { Outcome } from '../stripe-events/event-handler.ts';
import { markEventHandled } from '../stripe-events/handled-events.ts';
import { registrationEvent } from '../../webhooks/enqueue-event.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import {
  lockRegistration,
  type RegistrationRef,
  type RegistrationRow,
} from './find-registration.ts';

/**
 * Records refunds of a registration's payment that were made in Stripe's dashboard.
 *
 * @param event absent if reconciliation triggered the call
 * @returns `ignored` if the payment belongs to no registration or is not paid
 */
export async function syncRegistration(
  { db, processor, webhooks }: WorkerDeps,
  { organizationId, account, paymentIntentId, registration, isEventHandled }: PaymentContext,
  event?: { id: string; type: string },
): Promise<Outcome> {
  if (!registration) return 'ignored';
  if (isEventHandled) return 'duplicate';
  const paid = await processor.findSucceededPayment(paymentIntentId, account, 'everything');
  if (!paid) return 'ignored';
  const totalRefundedCents = sumRefunds(paid.refunds);
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

/**
 * Describes in a sentence a refund at Stripe that is not recorded here. Undefined if there is none.
 */
export async function describeUnrecordedRefund(
  { processor }: WorkerDeps,
  { account, paymentIntentId, registration: row }: PaymentContext,
): Promise<string | undefined> {
  const paid =
    row && (await processor.findSucceededPayment(paymentIntentId, account, 'everything'));
  if (!row || !paid) return undefined;
  const refundedCents = Math.min(sumRefunds(paid.refunds), row.amount_paid_cents);
  if (refundedCents <= row.refunded_cents) return undefined;
  return `${row.id}: ${row.refunded_cents} is recorded as refunded, but ${refundedCents} was refunded`;
}

/** @returns `all` if the registration is now fully refunded, which changes its status */
async function recordRefund(
  tx: Tx,
  row: RegistrationRow,
  totalRefundedCents: number,
): Promise<'nothing' | 'part' | 'all'> {
  const refunded_cents = Math.min(totalRefundedCents, row.amount_paid_cents);
  if (refunded_cents <= row.refunded_cents) return 'nothing';
  const all = refunded_cents === row.amount_paid_cents;
  await forOrganization(tx, row.organization_id)
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
