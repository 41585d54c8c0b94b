import { isDebit } from '@connect-embed/contract';
import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';
import { enqueueEmail } from '../mail/queue.ts';
import type { WorkerDeps } from './deps.ts';
import { expectedArrival } from './expected-arrival.ts';
import { endPaidReservation } from './fraud/card-budget.ts';
import { lostIntentColumns, payerColumns } from './intent-columns.ts';
import {
  isClaimed,
  loadPaymentContext,
  ownIntent,
  type PaymentContext,
} from './payment-context.ts';
import type { Outcome } from './stripe-events/event-handler.ts';
import { markEventHandled } from './stripe-events/handled-events.ts';
import { findSubscriptionOfPayment, originalMetadata } from './subscriptions/find-subscriptions.ts';
import type { PaymentState } from './stripe/payment-state.ts';

/** A Stripe event, to be marked as handled with its result. */
interface HandledEvent {
  id: string;
  type: string;
  created: number;
}

type SyncDeps = Pick<WorkerDeps, 'db' | 'processor'>;

/**
 * Fetches a payment from Stripe and, if it is processing, saves that: docs/decisions/0124-money-that-arrives-later.md
 *
 * The fetched status is newer than every event that was applied before the fetch, so events may arrive in any order.
 * If another event was applied since, the payment is fetched again.
 *
 * @param event absent if reconciliation triggered the call
 * @returns `ignored` if it is not a donation of this service, `duplicate` if it is not processing
 */
export async function syncProcessing(
  deps: SyncDeps,
  context: PaymentContext,
  event?: HandledEvent,
): Promise<Outcome> {
  const { db, processor } = deps;
  const { account, paymentIntentId } = context;
  if (context.isEventHandled) return 'duplicate';
  const fetched = await processor.retrievePaymentState(paymentIntentId, account);
  const payment = await findOwnPayment(deps, context, fetched);
  if (!payment) return 'ignored';
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome | undefined> => {
    const isProcessing = payment.status === 'processing';
    if (isProcessing && !(await saveProcessing(tx, context, payment, event))) return undefined;
    if (event && !(await markEventHandled(tx, context.organizationId, event))) return 'duplicate';
    return isProcessing ? 'recorded' : 'duplicate';
  });
  if (outcome) return outcome;
  const current = await loadPaymentContext(db, account, paymentIntentId, event?.id);
  return current ? await syncProcessing(deps, current, event) : 'ignored';
}

/** A payment of this service, with the metadata of its donation. */
type OwnPayment = PaymentState & { isRenewal: boolean };

/** Returns undefined if the payment is not a donation of this service. */
async function findOwnPayment(
  deps: SyncDeps,
  context: PaymentContext,
  payment: PaymentState,
): Promise<OwnPayment | undefined> {
  const own = ownIntent(context);
  if (own) return { ...payment, isRenewal: own.is_renewal };
  if (context.intent) return undefined;
  if (isClaimed(context, payment)) return { ...payment, isRenewal: false };
  if (payment.status !== 'processing' || !isDebit(payment.paymentMethod)) return undefined;
  const found = await findSubscriptionOfPayment(deps, context);
  if (!found) return undefined;
  const { subscription, isRenewal } = found;
  return { ...payment, metadata: originalMetadata(subscription), isRenewal };
}

/** @returns false if the payment intent was changed or saved since the context was loaded */
async function saveProcessing(
  tx: Tx,
  context: PaymentContext,
  payment: OwnPayment,
  event: HandledEvent | undefined,
): Promise<boolean> {
  const { organizationId, account, intent } = context;
  const { paymentIntentId, paymentMethod, confirmedAt } = payment;
  if (intent?.status === 'succeeded') return true;
  const at = new Date(Math.max(confirmedAt.getTime(), (event?.created ?? 0) * 1000));
  const processing = {
    status: 'processing' as const,
    status_at: at,
    expected_at: expectedArrival(paymentMethod, at),
    payment_method: paymentMethod,
    failure_code: null,
    failure_message: null,
    ...payerColumns(context, payment.metadata),
  };
  const saved = await forOrganization(tx, organizationId)
    .insertInto('payment_intent', {
      ...lostIntentColumns(tx, organizationId, payment),
      ...processing,
      is_renewal: payment.isRenewal,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(processing)
        .where('payment_intent.organization_id', '=', organizationId)
        .where('payment_intent.status', '=', intent?.status ?? null)
        .where('payment_intent.status_at', 'is not distinct from', statusTime(intent)),
    )
    .returning('donor_email')
    .executeTakeFirst();
  if (!saved) return false;
  // No further card can be tried on it.
  await endPaidReservation(tx, account, paymentIntentId);
  // The donor of a later payment of a recurring donation has not just confirmed it, and expects a receipt.
  if (isDebit(paymentMethod) && saved.donor_email && !payment.isRenewal) {
    await enqueueEmail(tx, {
      kind: 'donation_processing',
      organizationId,
      paymentIntentId,
      ...(payment.chargeId && { occasion: payment.chargeId }),
    });
  }
  return true;
}

const statusTime = (intent: PaymentContext['intent']) =>
  intent?.status_at ? new Date(intent.status_at) : null;
