/** Renewals of simulated subscriptions: invoices, payment attempts and retries. */
import type { Ledger } from './ledger.ts';
import { attemptPayment, type AttemptResult } from './attempt-payment.ts';
import {
  draftInvoice,
  finalizeInvoice,
  markInvoiceAttemptFailed,
  markInvoicePaid,
  invoicePaymentFor,
  voidInvoice,
} from './invoices.ts';
import { isDebit } from './outcome.ts';
import { savedMethodAttempt } from './payment-methods.ts';
import {
  activateSubscription,
  updateSubscription,
  cancelNow,
  nextPeriod,
  periodFromNow,
  scheduleRenewal,
} from './subscription-state.ts';
import { invalidParamError } from './stripe-error.ts';
import type { Invoice, Subscription } from './stripe-types.ts';
import { debitFailure } from './test-debits.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long the invoice of a renewal remains a draft, which may be changed, as at Stripe. */
const DRAFT_SECONDS = HOUR_SECONDS;

/** Delays before the retries of a renewal; after the last one the subscription is canceled. */
const RETRY_DELAYS_SECONDS = [3 * DAY_SECONDS, 5 * DAY_SECONDS, 7 * DAY_SECONDS];

/**
 * Updates the invoice and the subscription after an attempt, if the intent belongs to an invoice.
 */
export function updateInvoiceAfterAttempt(ledger: Ledger, attempt: AttemptResult): AttemptResult {
  const { intent } = attempt;
  const id = ledger.hidden<{ invoice: string }>(intent.id).invoice;
  if (!id) return attempt;
  const invoice = ledger.find('invoice', id);
  const subscription = ledger.find('subscription', subscriptionOf(invoice));
  const isEnded = subscription.status === 'canceled';
  if (intent.status === 'processing') {
    // The invoice is open until the bank has paid.
    ledger.unschedule('retry_invoice', id);
    ledger.save({ ...invoice, attempted: true, next_payment_attempt: null });
    if (subscription.status === 'incomplete') activate();
  } else if (intent.status === 'succeeded') {
    ledger.unschedule('retry_invoice', id);
    if (!isEnded) activate();
    markInvoicePaid(ledger, invoice);
  } else if (intent.status === 'requires_action') {
    ledger.emit('invoice.payment_action_required', invoice);
    if (invoice.billing_reason !== 'subscription_create')
      handleFailedPayment(ledger, subscription, invoice);
  } else {
    handleFailedPayment(ledger, subscription, invoice);
  }
  return attempt;

  function activate() {
    ledger.unschedule('expire_incomplete', subscription.id);
    activateSubscription(ledger, subscription, String(intent.payment_method));
  }
}

const subscriptionOf = (invoice: Invoice) =>
  String(invoice.parent?.subscription_details?.subscription);

/**
 * Only the donor can repeat a failed first payment; a renewal is retried, and then the subscription
 * is canceled.
 *
 * A subscription whose first payment is a debit has been active since the debit was sent. If the bank returns it,
 * the invoice is void and the subscription stays active, as at Stripe.
 */
function handleFailedPayment(ledger: Ledger, subscription: Subscription, invoice: Invoice) {
  const isFirst = invoice.billing_reason === 'subscription_create';
  if (isFirst || subscription.status === 'canceled') {
    markInvoiceAttemptFailed(ledger, invoice, null);
    if (isFirst && subscription.status !== 'incomplete') voidInvoice(ledger, invoice);
    return;
  }
  const delaySeconds = RETRY_DELAYS_SECONDS[invoice.attempt_count];
  const next = delaySeconds === undefined ? null : ledger.now() + delaySeconds;
  ledger.unschedule('retry_invoice', invoice.id);
  markInvoiceAttemptFailed(ledger, invoice, next);
  if (next === null) return void cancelNow(ledger, subscription, 'payment_failed');
  ledger.schedule(next, 'retry_invoice', invoice.id);
  updateSubscription(ledger, subscription, { status: 'past_due' });
}

/** Starts the next period at the end of a period. */
export function renew(ledger: Ledger, id: string) {
  const subscription = ledger.find('subscription', id);
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return;
  const invoice = startPeriod(ledger, subscription, nextPeriod(subscription), 'subscription_cycle');
  if (subscription.pause_collection) return;
  invoice.automatically_finalizes_at = ledger.now() + DRAFT_SECONDS;
  ledger.save(invoice);
  ledger.schedule(invoice.automatically_finalizes_at, 'collect_invoice', invoice.id);
}

/**
 * Ends the current period and starts one now, whose invoice is paid immediately (`billing_cycle_anchor: { type: 'now' }`).
 */
export function renewNow(ledger: Ledger, subscription: Subscription) {
  ledger.unschedule('renew', subscription.id);
  const change = periodFromNow(subscription, ledger.now());
  const invoice = startPeriod(ledger, subscription, change, 'subscription_update');
  if (subscription.pause_collection) return;
  finalizeInvoice(ledger, invoice);
  payInvoice(ledger, invoice);
}

/** Drafts the invoice of a period. While the collection is paused, the invoice is void. */
function startPeriod(
  ledger: Ledger,
  subscription: Subscription,
  change: Partial<Subscription>,
  reason: 'subscription_cycle' | 'subscription_update',
): Invoice {
  const invoice = draftInvoice(ledger, { ...subscription, ...change }, reason);
  const next = updateSubscription(ledger, subscription, { ...change, latest_invoice: invoice.id });
  scheduleRenewal(ledger, next);
  if (subscription.pause_collection) {
    finalizeInvoice(ledger, invoice);
    voidInvoice(ledger, invoice);
  }
  return invoice;
}

/** Finalizes and pays the invoice of a renewal after its hour as a draft. */
export function collectInvoice(ledger: Ledger, id: string) {
  const invoice = ledger.find('invoice', id);
  if (invoice.status !== 'draft') return;
  finalizeInvoice(ledger, invoice);
  payInvoice(ledger, invoice);
}

export function retryInvoice(ledger: Ledger, id: string) {
  const invoice = ledger.find('invoice', id);
  if (invoice.status === 'open') payInvoice(ledger, invoice);
}

/**
 * Pays an invoice with the payment method of its subscription, without the donor.
 *
 * @throws {StripeError} 400 while a debit for the invoice is processing
 */
export function payInvoice(ledger: Ledger, invoice: Invoice): AttemptResult {
  const subscription = ledger.find('subscription', subscriptionOf(invoice));
  const payment = invoicePaymentFor(ledger, invoice.id);
  const intent = ledger.find('payment_intent', String(payment?.payment.payment_intent));
  if (intent.status === 'processing') throw processingError();
  const { default_payment_method: method } = subscription;
  if (!method) {
    handleFailedPayment(ledger, subscription, invoice);
    return { intent };
  }
  const attempt = savedMethodAttempt(ledger, String(method));
  const { fails_next } = ledger.hidden<{ fails_next: boolean }>(subscription.id);
  if (fails_next) {
    ledger.setHidden(subscription.id, { fails_next: null });
    attempt.outcome = isDebit(attempt.outcome)
      ? { ...attempt.outcome, failure: debitFailure('insufficient_funds') }
      : INSUFFICIENT_FUNDS;
  }
  return updateInvoiceAfterAttempt(ledger, attemptPayment(ledger, intent, attempt));
}

const INSUFFICIENT_FUNDS = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};

const processingError = () =>
  invalidParamError('invoice', 'This invoice has a payment that is processing.');
