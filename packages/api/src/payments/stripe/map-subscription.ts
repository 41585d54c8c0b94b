import type { Frequency, RecurringPlan } from '@connect-embed/contract';
import type Stripe from 'stripe';

export type SubscriptionFrequency = Exclude<Frequency, 'one_time'>;

/** Why the payment of an invoice failed, and how it goes on. */
export interface InvoiceFailure {
  invoiceId: string;
  /** Stripe's code of the reason; null if it is unknown or concerns a payment method that was replaced since. */
  code: string | null;
  /** How many times Stripe has tried. */
  attempts: number;
  /** Null if Stripe does not try again. */
  nextAttemptAt: Date | null;
}

/** A subscription as fetched from Stripe. */
export interface SubscriptionSnapshot {
  subscriptionId: string;
  customerId: string;
  /** `expired`: the first payment was never made, so the subscription is not recorded. */
  status: RecurringPlan['status'] | 'expired';
  livemode: boolean;
  amountCents: number;
  currency: string;
  frequency: SubscriptionFrequency;
  nextPaymentAt: Date | null;
  canceledAt: Date | null;
  /** The saved payment method, with its type or brand and last four digits, for example `visa 4242`. */
  card: { id: string; label: string } | null;
  /** The bank returned the debit of the first payment: the subscription goes on at Stripe, but nothing was paid. */
  isFirstPaymentReturned: boolean;
  /** The failed payment of a subscription that is past due. Absent if its latest invoice was not tried yet. */
  failure?: InvoiceFailure;
  metadata: Record<string, string>;
}

const INTERVALS = {
  monthly: { interval: 'month', interval_count: 1 },
  quarterly: { interval: 'month', interval_count: 3 },
  yearly: { interval: 'year', interval_count: 1 },
} as const;

export const intervalOf = (frequency: SubscriptionFrequency) => ({ ...INTERVALS[frequency] });

/**
 * Maps one of our subscriptions from Stripe's format.
 *
 * @param subscription with its `default_payment_method` and `latest_invoice` expanded
 */
export function mapSubscription(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`The subscription ${subscription.id} has no items.`);
  const status = statusOf(subscription);
  const isOngoing = status === 'active' || status === 'past_due';
  const { customer, default_payment_method: method, metadata } = subscription;
  return {
    subscriptionId: subscription.id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    status,
    livemode: subscription.livemode,
    amountCents: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    currency: item.price.currency,
    frequency: frequencyOf(item.price.recurring),
    nextPaymentAt: isOngoing ? dateOf(item.current_period_end) : null,
    canceledAt: status === 'canceled' ? dateOf(subscription.canceled_at ?? nowSeconds()) : null,
    card: typeof method === 'object' && method ? cardOf(method) : null,
    isFirstPaymentReturned: isFirstPaymentReturned(subscription),
    metadata,
  };
}

/** Converts Unix seconds to a date. Stripe's test clocks may return times in the future. */
const dateOf = (seconds: number) => new Date(seconds * 1000);
const nowSeconds = () => Math.floor(Date.now() / 1000);

function statusOf(subscription: Stripe.Subscription): SubscriptionSnapshot['status'] {
  const { status, pause_collection } = subscription;
  switch (status) {
    case 'incomplete':
      return 'incomplete';
    case 'incomplete_expired':
      return 'expired';
    case 'canceled':
      return 'canceled';
    default:
      if (pause_collection || status === 'paused') return 'paused';
      if (isFirstPaymentReturned(subscription)) return 'past_due';
      return status === 'past_due' || status === 'unpaid' ? 'past_due' : 'active';
  }
}

/**
 * Whether the first payment was a bank debit that failed. Stripe then voids the first invoice and leaves the
 * subscription active: https://docs.stripe.com/billing/subscriptions/sepa-debit
 */
export function isFirstPaymentReturned({ status, latest_invoice }: Stripe.Subscription): boolean {
  if (status !== 'active' || typeof latest_invoice !== 'object') return false;
  return (
    latest_invoice?.billing_reason === 'subscription_create' && latest_invoice.status === 'void'
  );
}

function frequencyOf(recurring: Stripe.Price.Recurring | null): SubscriptionFrequency {
  const { interval, interval_count = 1 } = recurring ?? {};
  if (interval === 'year') return 'yearly';
  return interval_count === 12 ? 'yearly' : interval_count === 3 ? 'quarterly' : 'monthly';
}

/** The label of a payment method: `visa 4242`, `sepa_debit 3201`, or else Stripe's name of its type. */
function cardOf({ id, type, card, sepa_debit, us_bank_account }: Stripe.PaymentMethod) {
  const last4 = card?.last4 ?? sepa_debit?.last4 ?? us_bank_account?.last4;
  return { id, label: last4 ? `${card?.brand ?? type} ${last4}` : type };
}
