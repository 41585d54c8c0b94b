import { newId } from '../ids.ts';
import { type BillingInterval, periodEnd } from '../billing-period.ts';
import type { Price, Subscription } from '../stripe-types.ts';
import { toPlan } from './price.ts';

type Item = Subscription['items']['data'][number];

export type SubscriptionInput = Pick<Subscription, 'metadata' | 'payment_settings'> & {
  customer: string;
  price: Price;
};

/** Creates a subscription in Stripe's format. Its first period starts at `created`. */
export function newSubscription(created: number, input: SubscriptionInput): Subscription {
  const { price, ...own } = input;
  const id = newId('sub');
  const item = newItem(created, id, price);
  return {
    id,
    object: 'subscription',
    ...UNSIMULATED_FIELDS,
    billing_cycle_anchor: created,
    billing_mode: { flexible: null, type: 'flexible', updated_at: created },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: price.currency,
    default_payment_method: null,
    description: null,
    ended_at: null,
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    pause_collection: null,
    start_date: created,
    status: 'incomplete',
    ...own,
  };
}

/** Fields of trials, discounts, taxes and other features that the sandbox does not simulate. */
const UNSIMULATED_FIELDS = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: {
    end_behavior: { missing_payment_method: 'create_invoice', billing_cycle_anchor: null },
  },
  trial_start: null,
} satisfies Partial<Subscription>;

const newItem = (created: number, subscription: string, price: Price): Item => ({
  id: newId('si'),
  object: 'subscription_item',
  billing_thresholds: null,
  created,
  current_period_end: periodEnd(created, created, price.recurring as BillingInterval),
  current_period_start: created,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: toPlan(price),
  price,
  quantity: 1,
  subscription,
  tax_rates: [],
});

/** Returns the only item of a subscription: the sandbox supports no more. */
export function subscriptionItem(subscription: Subscription): Item {
  const [item] = subscription.items.data;
  if (item) return item;
  throw new Error(`${subscription.id} has no item.`);
}
