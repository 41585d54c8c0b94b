/** What a subscription can become, and what is told of it. When it does: `billing.ts`. */
import type { Books } from './books.ts';
import { itemOf } from './objects/subscription.ts';
import { type Recurring, periodEnd } from './period.ts';
import type { Subscription } from './wire.ts';

type Change = Partial<Subscription>;

/** Saves and tells, with what was there before, as Stripe's events do. */
export function change(books: Books, subscription: Subscription, to: Change): Subscription {
  const names = Object.keys(to) as (keyof Subscription)[];
  const changed = names.filter(
    (name) => JSON.stringify(subscription[name]) !== JSON.stringify(to[name]),
  );
  if (!changed.length) return subscription;
  const previous = Object.fromEntries(changed.map((name) => [name, subscription[name]]));
  const next = books.save({ ...subscription, ...to });
  books.emit('customer.subscription.updated', next, previous);
  return next;
}

export function activate(books: Books, subscription: Subscription, method: string): Subscription {
  const keeps = subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  if (subscription.status === 'incomplete') renewLater(books, subscription);
  return change(books, subscription, {
    status: 'active',
    ...(keeps && { default_payment_method: method }),
  });
}

export const renewLater = (books: Books, subscription: Subscription) =>
  books.later(itemOf(subscription).current_period_end, 'renew', subscription.id);

/** The period that begins now. */
export function nextPeriod(subscription: Subscription): Change {
  const item = itemOf(subscription);
  const start = item.current_period_end;
  const recurring = item.price.recurring as Recurring;
  const next = {
    ...item,
    current_period_start: start,
    current_period_end: periodEnd(subscription.billing_cycle_anchor, start, recurring),
  };
  return { items: { ...subscription.items, data: [next] } };
}

type Why = 'cancellation_requested' | 'payment_failed';

export function end(books: Books, subscription: Subscription, reason: Why): Subscription {
  const details = subscription.cancellation_details;
  const next: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? books.now(),
    ended_at: books.now(),
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...details,
      reason,
    },
  };
  books.save(next);
  for (const what of ['renew', 'resume', 'end_subscription', 'expire_incomplete']) {
    books.never(what, subscription.id);
  }
  books.emit('customer.subscription.deleted', next);
  return next;
}
