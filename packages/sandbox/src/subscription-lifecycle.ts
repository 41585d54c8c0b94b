/** Starts and cancels simulated subscriptions; `renewals.ts` renews them. */
import type { Ledger } from './ledger.ts';
import { draftInvoice, finalizeInvoice, isProcessing, voidInvoice } from './invoices.ts';
import { type SubscriptionInput, newSubscription } from './objects/subscription.ts';
import { updateSubscription, cancelNow } from './subscription-state.ts';
import type { Subscription } from './stripe-types.ts';

/** Time limit for the first payment, as at Stripe. */
const INCOMPLETE_SECONDS = 23 * 60 * 60;

/** Starts a subscription, which is incomplete until the donor pays its first invoice. */
export function startSubscription(ledger: Ledger, input: SubscriptionInput): Subscription {
  const subscription = ledger.add(newSubscription(ledger.now(), input));
  const invoice = draftInvoice(ledger, subscription, 'subscription_create');
  subscription.latest_invoice = invoice.id;
  ledger.save(subscription);
  ledger.emit('customer.subscription.created', subscription);
  finalizeInvoice(ledger, invoice);
  ledger.schedule(ledger.now() + INCOMPLETE_SECONDS, 'expire_incomplete', subscription.id);
  return subscription;
}

/** Expires a subscription whose first invoice was not paid in time. */
export function expireIncomplete(ledger: Ledger, id: string) {
  const subscription = ledger.find('subscription', id);
  if (subscription.status !== 'incomplete') return;
  const invoice = ledger.find('invoice', String(subscription.latest_invoice));
  if (invoice.status === 'open') voidInvoice(ledger, invoice);
  updateSubscription(ledger, subscription, {
    status: 'incomplete_expired',
    ended_at: ledger.now(),
  });
}

/** Cancels a subscription immediately; open invoices are no longer collected. */
export function cancelSubscription(ledger: Ledger, subscription: Subscription): Subscription {
  const open = ledger.listAll('invoice', {
    fields: { status: 'open', '$.parent.subscription_details.subscription': subscription.id },
  });
  for (const invoice of open) {
    ledger.unschedule('retry_invoice', invoice.id);
    ledger.save({ ...invoice, auto_advance: false, next_payment_attempt: null });
    // A debit that is processing can no longer be stopped.
    const isFirst = invoice.billing_reason === 'subscription_create';
    if (isFirst && !isProcessing(ledger, invoice)) voidInvoice(ledger, invoice);
  }
  return cancelNow(ledger, subscription, 'cancellation_requested');
}
