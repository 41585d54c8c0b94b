/**
 * State changes of a simulated subscription, and the events that they emit.
 * `subscription-lifecycle.ts` and `renewals.ts` decide when a state changes.
 */
import type { Ledger } from './ledger.ts';
import { subscriptionItem } from './objects/subscription.ts';
import { type BillingInterval, periodEnd } from './billing-period.ts';
import type { Subscription } from './stripe-types.ts';

type SubscriptionChange = Partial<Subscription>;

/** Saves a change and emits an event with the previous values, as Stripe does. */
export function updateSubscription(
  ledger: Ledger,
  subscription: Subscription,
  change: SubscriptionChange,
): Subscription {
  const names = Object.keys(change) as (keyof Subscription)[];
  const changed = names.filter(
    (name) => JSON.stringify(subscription[name]) !== JSON.stringify(change[name]),
  );
  if (!changed.length) return subscription;
  const previous = Object.fromEntries(changed.map((name) => [name, subscription[name]]));
  const next = ledger.save({ ...subscription, ...change });
  ledger.emit('customer.subscription.updated', next, previous);
  return next;
}

export function activateSubscription(
  ledger: Ledger,
  subscription: Subscription,
  paymentMethodId: string,
): Subscription {
  const savesPaymentMethod =
    subscription.status !== 'active' &&
    subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  if (subscription.status === 'incomplete') scheduleRenewal(ledger, subscription);
  return updateSubscription(ledger, subscription, {
    status: 'active',
    ...(savesPaymentMethod && { default_payment_method: paymentMethodId }),
  });
}

export const scheduleRenewal = (ledger: Ledger, subscription: Subscription) =>
  ledger.schedule(subscriptionItem(subscription).current_period_end, 'renew', subscription.id);

export function nextPeriod(subscription: Subscription): SubscriptionChange {
  const item = subscriptionItem(subscription);
  const start = item.current_period_end;
  const recurring = item.price.recurring as BillingInterval;
  const next = {
    ...item,
    current_period_start: start,
    current_period_end: periodEnd(subscription.billing_cycle_anchor, start, recurring),
  };
  return { items: { ...subscription.items, data: [next] } };
}

/** Returns the change for a billing period that starts now. */
export function periodFromNow(subscription: Subscription, now: number): SubscriptionChange {
  const item = subscriptionItem(subscription);
  const recurring = item.price.recurring as BillingInterval;
  const next = {
    ...item,
    current_period_start: now,
    current_period_end: periodEnd(now, now, recurring),
  };
  return { billing_cycle_anchor: now, items: { ...subscription.items, data: [next] } };
}

type EndReason = 'cancellation_requested' | 'payment_failed';

export function cancelNow(
  ledger: Ledger,
  subscription: Subscription,
  reason: EndReason,
): Subscription {
  const details = subscription.cancellation_details;
  const next: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? ledger.now(),
    ended_at: ledger.now(),
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...details,
      reason,
    },
  };
  ledger.save(next);
  for (const jobName of ['renew', 'expire_incomplete']) {
    ledger.unschedule(jobName, subscription.id);
  }
  ledger.emit('customer.subscription.deleted', next);
  return next;
}
