/** What a subscription asks for: its renewals, their retries, and what an attempt comes to. */
import type { Books } from './books.ts';
import { attempt, type Confirmed, savedCard } from './collect.ts';
import {
  draftInvoice,
  finalizeInvoice,
  markFailed,
  markPaid,
  paymentOf,
  voidInvoice,
} from './invoices.ts';
import { activate, change, end, nextPeriod, renewLater } from './subscriptions.ts';
import { inTimeOf } from './test-clocks.ts';
import type { Invoice, Subscription } from './wire.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** A renewal stays a draft for so long, so that it may still be changed. */
const DRAFT_SECONDS = HOUR;

/** Waits before a renewal is tried again; then the subscription ends. */
const RETRY_SECONDS = [3 * DAY, 5 * DAY, 7 * DAY];

/** What an attempt at an intent means for the invoice behind it, if there is one. */
export function follow(here: Books, confirmed: Confirmed): Confirmed {
  const { intent } = confirmed;
  const id = here.hidden<{ invoice: string }>(intent.id).invoice;
  if (!id) return confirmed;
  const invoice = here.find('invoice', id);
  const subscription = here.find('subscription', subscriptionOf(invoice));
  const books = inTimeOf(here, subscription);
  if (intent.status === 'succeeded') {
    books.never('retry_invoice', id);
    books.never('expire_incomplete', subscription.id);
    activate(books, subscription, String(intent.payment_method));
    markPaid(books, invoice);
  } else if (intent.status === 'requires_action') {
    books.emit('invoice.payment_action_required', invoice);
    if (invoice.billing_reason === 'subscription_cycle') miss(books, subscription, invoice);
  } else {
    miss(books, subscription, invoice);
  }
  return confirmed;
}

const subscriptionOf = (invoice: Invoice) =>
  String(invoice.parent?.subscription_details?.subscription);

/** The first payment is the donor's to repeat; a renewal is tried again, then given up. */
function miss(books: Books, subscription: Subscription, invoice: Invoice) {
  if (invoice.billing_reason === 'subscription_create') return markFailed(books, invoice, null);
  const wait = RETRY_SECONDS[invoice.attempt_count];
  const next = wait === undefined ? null : books.now() + wait;
  books.never('retry_invoice', invoice.id);
  markFailed(books, invoice, next);
  if (next === null) return void end(books, subscription, 'payment_failed');
  books.later(next, 'retry_invoice', invoice.id);
  change(books, subscription, { status: 'past_due' });
}

/** A period has ended: the next one, or the end. */
export function renew(books: Books, id: string) {
  const subscription = books.find('subscription', id);
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return;
  if (subscription.cancel_at_period_end)
    return void end(books, subscription, 'cancellation_requested');
  const rolled = { ...subscription, ...nextPeriod(subscription) };
  const invoice = draftInvoice(books, rolled, 'subscription_cycle');
  const next = change(books, subscription, { items: rolled.items, latest_invoice: invoice.id });
  renewLater(books, next);
  const paused = subscription.pause_collection?.behavior;
  if (paused === 'keep_as_draft') return;
  if (paused) {
    finalizeInvoice(books, invoice);
    voidInvoice(books, invoice, paused === 'void' ? 'void' : 'uncollectible');
    return;
  }
  invoice.automatically_finalizes_at = books.now() + DRAFT_SECONDS;
  books.save(invoice);
  books.later(invoice.automatically_finalizes_at, 'collect_invoice', invoice.id);
}

/** The hour of a draft is over. */
export function collectInvoice(books: Books, id: string) {
  const invoice = books.find('invoice', id);
  if (invoice.status !== 'draft') return;
  finalizeInvoice(books, invoice);
  payInvoice(books, invoice);
}

export function retryInvoice(books: Books, id: string) {
  const invoice = books.find('invoice', id);
  if (invoice.status === 'open') payInvoice(books, invoice);
}

/**
 * Charges the card that was kept, or another one.
 *
 * @param present true while the donor is there to answer the bank
 */
export function payInvoice(books: Books, invoice: Invoice, other?: string, present = false) {
  const subscription = books.find('subscription', subscriptionOf(invoice));
  const payment = paymentOf(books, invoice.id);
  const intent = books.find('payment_intent', String(payment?.payment.payment_intent));
  const method = other ?? methodFor(books, subscription);
  if (!method) {
    miss(books, subscription, invoice);
    return { intent };
  }
  const tried = savedCard(books, method, present ? 'outcome' : 'saved');
  const { fails_next } = books.hidden<{ fails_next: boolean }>(subscription.id);
  if (fails_next) {
    books.hide(subscription.id, { fails_next: null });
    tried.outcome = INSUFFICIENT;
  }
  return follow(books, attempt(books, intent, tried));
}

const INSUFFICIENT = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};

/** The subscription's own card goes before the customer's. */
export function methodFor(books: Books, { default_payment_method, customer }: Subscription) {
  const settings = books.find('customer', String(customer)).invoice_settings;
  const id = default_payment_method ?? settings.default_payment_method;
  return typeof id === 'string' ? id : undefined;
}
