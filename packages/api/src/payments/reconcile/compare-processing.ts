import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { recordPaymentFailure } from '../record-payment-failure.ts';
import { fetchAndSync } from '../sync.ts';
import type { Outcome } from '../stripe-events/event-handler.ts';
import { findSubscriptionOfPayment } from '../subscriptions/find-subscriptions.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { syncProcessing } from '../sync-unpaid.ts';
import type { PaymentState } from '../stripe/payment-state.ts';
import { idOf } from '../stripe/subscriptions.ts';
import type { CompareOptions, ReconciledAccount, Reporter } from './difference.ts';

/** Compares payments that Stripe lists as processing with ours. */
export async function compareProcessing(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  { repair }: CompareOptions,
  listed: Stripe.PaymentIntent[],
  report: Reporter,
): Promise<void> {
  if (listed.length === 0) return;
  const rows = await forOrganization(deps.db, organizationId)
    .selectFrom('payment_intent')
    .select(['id', 'status'])
    .where(
      'id',
      'in',
      listed.map(({ id }) => id),
    )
    .execute();
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const customers = await findCustomers(deps.db, organizationId, listed);
  for (const { id, metadata, customer } of listed) {
    const status = statuses.get(id);
    if (status === 'processing') continue;
    const payment = { organizationId, account, paymentIntentId: id };
    const isOwn =
      status !== undefined ||
      metadata['organization_id'] === organizationId ||
      // Others on the account may have thousands on their way, and each invoice is a call to Stripe.
      (customers.has(idOf(customer) ?? '') &&
        (await findSubscriptionOfPayment(deps, payment)) !== undefined);
    if (!isOwn) continue;
    const context = repair ? await loadPaymentContext(deps.db, account, id) : undefined;
    const isRepaired = context ? (await syncProcessing(deps, context)) === 'recorded' : false;
    const description = `a payment that is on its way is recorded as ${status ?? 'nothing'}`;
    report.onDifference({ organizationId, id, description, isRepaired });
  }
}

/** Returns the Stripe customers of these payments that give to the organization regularly. */
async function findCustomers(
  db: Db,
  organizationId: string,
  listed: readonly Stripe.PaymentIntent[],
): Promise<Set<string>> {
  const ids = listed.flatMap(({ customer }) => idOf(customer) ?? []);
  if (ids.length === 0) return new Set();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .select('processor_customer_id')
    .where('processor_customer_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.processor_customer_id));
}

/** Fetches the payments that are stored as processing, however old they are, and updates those that Stripe has ended. */
export async function compareStoredProcessing(
  deps: WorkerDeps,
  { id: organizationId, account, livemode }: ReconciledAccount,
  { repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const rows = await forOrganization(deps.db, organizationId)
    .selectFrom('payment_intent')
    .select('id')
    .where('status', '=', 'processing')
    .where('livemode', '=', livemode)
    // A closed one belongs to an account or mode that the organization no longer uses.
    .where('closed_at', 'is', null)
    .execute();
  for (const { id } of rows) {
    const payment = await deps.processor.retrievePaymentState(id, account);
    report.onChecked(1);
    if (payment.status === 'processing') continue;
    const outcome = repair ? await endProcessing(deps, account, payment) : undefined;
    // An event was faster.
    if (outcome === 'ignored') continue;
    const description = `a payment that is recorded as on its way is ${payment.status} at Stripe`;
    report.onDifference({ organizationId, id, description, isRepaired: outcome === 'recorded' });
  }
}

async function endProcessing(
  deps: WorkerDeps,
  account: string,
  payment: PaymentState,
): Promise<Outcome> {
  const context = await loadPaymentContext(deps.db, account, payment.paymentIntentId);
  if (context?.intent?.status !== 'processing') return 'ignored';
  if (payment.status === 'succeeded') {
    if (!context.intent.plan_id) return await fetchAndSync(deps, context);
    const { organizationId } = context;
    const invoice = await deps.processor.findInvoiceOfPayment(payment.paymentIntentId, account);
    if (!invoice) return 'ignored';
    const { invoiceId: paidInvoiceId, subscriptionId } = invoice;
    const ref = { organizationId, account, subscriptionId, paidInvoiceId };
    return await syncSubscription(deps, ref);
  }
  const paymentMethod = payment.paymentMethod ?? context.intent.payment_method;
  // Stripe's answer is newer than the row, also if our clock is behind Stripe's.
  const statusAt = Date.parse(context.intent.status_at ?? '') || 0;
  const failure = { ...payment, paymentMethod, at: new Date(Math.max(Date.now(), statusAt)) };
  await deps.db.transaction().execute((tx) => recordPaymentFailure(tx, context, failure));
  return 'recorded';
}
