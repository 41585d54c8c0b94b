import { forOrganization } from '../db/organization-scope.ts';
import type { WorkerDeps } from './deps.ts';
import type { Tx } from '../db/schema.ts';
import { requeueReceipt } from '../mail/queue.ts';
import { resourceEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { donationColumns } from './donation-columns.ts';
import { describeMismatch, isOwnPayment, loadPaymentContext } from './payment-context.ts';
import type { DonationState, PaymentContext } from './payment-context.ts';
import { recordDonation } from './record-donation.ts';
import { nextRowVersion } from './row-version.ts';
import { saveDisputes } from './save-disputes.ts';
import { saveRefunds } from './save-refunds.ts';
import { sendReference } from './send-reference.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';
import type { Outcome } from './stripe-events/event-handler.ts';
import { markEventHandled } from './stripe-events/handled-events.ts';

/** A Stripe event, to be marked as handled with its result. */
interface HandledEvent {
  id: string;
  type: string;
  /** False if the payment was not made by card. */
  isCard?: boolean;
}

/** The result of saving a payment. */
export interface SavedDonation {
  reference: string;
  isChanged: boolean;
}

/**
 * Fetches a payment from Stripe and syncs its donation.
 *
 * @param event absent if reconciliation or a request triggered the call
 * @returns `ignored` if it is not paid or not a donation of this service, `duplicate` if nothing
 *   changed
 */
export async function fetchAndSync(
  deps: WorkerDeps,
  context: PaymentContext,
  event?: HandledEvent,
): Promise<Outcome> {
  if (context.isEventHandled) return 'duplicate';
  const version = await nextRowVersion(deps.db);
  const { paymentIntentId, account } = context;
  const payment = await deps.processor.findSucceededPayment(paymentIntentId, account, 'everything');
  if (!payment) return 'ignored';
  // Another process may have recorded the payment during the fetch.
  const current = isOwnPayment(context, payment)
    ? context
    : await loadPaymentContext(deps.db, account, paymentIntentId);
  if (!current || !isOwnPayment(current, payment)) return 'ignored';
  return await sync(deps, current, payment, version, event);
}

/**
 * Creates or updates a donation, its refunds, disputes and fee from a payment that was fetched from
 * Stripe. The webhook events for the changes are enqueued in the same transaction.
 *
 * A payment whose intent was created for another organization is rejected. A different amount or
 * currency is accepted, because the donation must show the money that was moved; it is logged, and
 * `connect-embed reconcile` reports it.
 *
 * @param version row version from `nextRowVersion`, drawn before the payment was fetched
 */
export async function sync(
  deps: Pick<WorkerDeps, 'db' | 'webhooks' | 'processor' | 'log'>,
  context: PaymentContext,
  payment: PaymentSnapshot,
  version: number,
  event?: HandledEvent,
): Promise<Outcome> {
  const { organizationId, intent } = context;
  const logFields = { intent: payment.paymentIntentId, organization: organizationId };
  if (intent && intent.organization_id !== organizationId) {
    const text = 'payment rejected: its payment intent belongs to another organization';
    deps.log.warn(logFields, text);
    return 'ignored';
  }
  const differs = intent && describeMismatch(intent, payment);
  if (differs)
    deps.log.warn({ ...logFields, differs }, 'paid amount differs from the payment intent');
  const saved = await deps.db.transaction().execute(async (tx) => {
    if (event && !(await markEventHandled(tx, organizationId, event))) return undefined;
    return await syncInTransaction(tx, deps.webhooks.enqueue, context, payment, version);
  });
  const isReferenceSent = saved && (await sendReference(deps, context, payment, saved.reference));
  return saved?.isChanged || isReferenceSent ? 'recorded' : 'duplicate';
}

/**
 * Does the work of `sync` in the caller's transaction.
 *
 * @returns undefined if the payment is recorded for another organization
 */
export async function syncInTransaction(
  tx: Tx,
  enqueue: EnqueueEvent,
  context: PaymentContext,
  payment: PaymentSnapshot,
  version: number,
): Promise<SavedDonation | undefined> {
  const { organizationId } = context;
  const { donation, isNew } = context.donation
    ? { donation: context.donation, isNew: false }
    : await recordDonation(tx, context, payment, version);
  const { reference } = donation;
  if (donation.organization_id !== organizationId) return undefined;
  if (!isNew)
    return {
      reference,
      isChanged: await updateDonation(tx, enqueue, donation, payment, version),
    };
  await enqueue(
    tx,
    resourceEvent('donation.created', organizationId, donation.id, payment.livemode),
  );
  // A new donation has no stored refunds or disputes, so they are read only if Stripe reports some.
  if (payment.refunds.length + payment.disputes.length > 0)
    await saveRefundsAndDisputes(tx, enqueue, donation, payment);
  return { reference, isChanged: true };
}

/**
 * Updates the fee, refunds and disputes of a donation, unless a newer row version is stored. The first
 * statement locks the donation's row and checks its version, so the refunds and disputes are read under
 * the lock.
 *
 * @returns whether anything changed
 */
async function updateDonation(
  tx: Tx,
  enqueue: EnqueueEvent,
  donation: DonationState,
  payment: PaymentSnapshot,
  version: number,
): Promise<boolean> {
  const columns = donationColumns(donation, payment);
  const locked = await forOrganization(tx, donation.organization_id)
    .updateTable('donation')
    .set({ ...columns, row_version: version })
    .where('id', '=', donation.id)
    .where('row_version', '<', version)
    .returning('remaining_amount_cents')
    .executeTakeFirst();
  if (!locked) return false;
  // A dispute was won, or a refund failed.
  if (donation.remaining_amount_cents === 0 && locked.remaining_amount_cents > 0)
    await requeueReceipt(tx, donation);
  const changes = await saveRefundsAndDisputes(tx, enqueue, donation, payment);
  return changes > 0 || hasChanged(donation, columns);
}

/**
 * Saves the refunds and disputes of a donation, whose row the caller has locked or inserted. Enqueues one
 * webhook event for each refund that started or failed and for each dispute that was opened or decided.
 *
 * @returns how many changed
 */
async function saveRefundsAndDisputes(
  tx: Tx,
  enqueue: EnqueueEvent,
  donation: DonationState,
  payment: PaymentSnapshot,
): Promise<number> {
  const refunds = await saveRefunds(tx, donation, payment.refunds);
  const disputes = await saveDisputes(tx, donation, payment.disputes);
  for (const type of [
    ...Array<'donation.refunded'>(refunds).fill('donation.refunded'),
    ...Array<'donation.disputed'>(disputes.statusChanges).fill('donation.disputed'),
  ]) {
    await enqueue(tx, resourceEvent(type, donation.organization_id, donation.id, payment.livemode));
  }
  return refunds + disputes.saved;
}

const hasChanged = (donation: DonationState, columns: ReturnType<typeof donationColumns>) =>
  (Object.keys(columns) as (keyof typeof columns)[]).some((key) => donation[key] !== columns[key]);
