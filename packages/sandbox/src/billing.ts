/** How subscriptions begin and end; what happens in between is in `renewals.ts`. */
import type { Books } from './books.ts';
import { attempt, savedCard } from './collect.ts';
import { draftInvoice, finalizeInvoice, voidInvoice } from './invoices.ts';
import { type SubscriptionInput, newSubscription } from './objects/subscription.ts';
import { follow, methodFor } from './renewals.ts';
import { change, end } from './subscriptions.ts';
import { StripeError } from './stripe-error.ts';
import type { Subscription } from './wire.ts';

/** Stripe waits so long for the first payment. */
const INCOMPLETE_SECONDS = 23 * 60 * 60;

export type Start = 'default_incomplete' | 'allow_incomplete' | 'error_if_incomplete';

/** @throws {StripeError} 402 when the card is declined and nothing may be left of it */
export function startSubscription(books: Books, input: SubscriptionInput, how: Start) {
  const subscription = books.add(newSubscription(books.now(), input));
  const invoice = draftInvoice(books, subscription, 'subscription_create');
  subscription.latest_invoice = invoice.id;
  books.save(subscription);
  books.emit('customer.subscription.created', subscription);
  const intent = finalizeInvoice(books, invoice);
  books.later(books.now() + INCOMPLETE_SECONDS, 'expire_incomplete', subscription.id);
  const method = methodFor(books, subscription);
  if (how !== 'default_incomplete' && method) {
    const { declined } = follow(books, attempt(books, intent, savedCard(books, method, 'saved')));
    if (declined && how === 'error_if_incomplete') throw new StripeError(402, declined);
  }
  return books.find('subscription', subscription.id);
}

/** Nobody paid the first invoice in time. */
export function expireIncomplete(books: Books, id: string) {
  const subscription = books.find('subscription', id);
  if (subscription.status !== 'incomplete') return;
  const invoice = books.find('invoice', String(subscription.latest_invoice));
  if (invoice.status === 'open') voidInvoice(books, invoice);
  change(books, subscription, { status: 'incomplete_expired', ended_at: books.now() });
}

/** `cancel_at`, or the donor's wish: nothing more is collected. */
export function cancelSubscription(books: Books, subscription: Subscription): Subscription {
  const open = books.all('invoice', {
    fields: { status: 'open', '$.parent.subscription_details.subscription': subscription.id },
  });
  for (const invoice of open) {
    books.never('retry_invoice', invoice.id);
    books.save({ ...invoice, auto_advance: false, next_payment_attempt: null });
    if (invoice.billing_reason === 'subscription_create') voidInvoice(books, invoice);
  }
  return end(books, subscription, 'cancellation_requested');
}

export const endSubscription = (books: Books, id: string) =>
  void cancelSubscription(books, books.find('subscription', id));

/** A pause with an end is over. */
export function resume(books: Books, id: string) {
  change(books, books.find('subscription', id), { pause_collection: null });
}
