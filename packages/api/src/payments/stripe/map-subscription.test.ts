import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { mapSubscription } from './map-subscription.ts';

const subscription = (fields: object) =>
  ({
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    pause_collection: null,
    items: {
      data: [
        {
          current_period_end: 1_800_000_000,
          quantity: 1,
          price: {
            unit_amount: 2500,
            currency: 'eur',
            recurring: { interval: 'month', interval_count: 1 },
          },
        },
      ],
    },
    default_payment_method: null,
    latest_invoice: null,
    metadata: {},
    ...fields,
  }) as unknown as Stripe.Subscription;

const FIRST = { billing_reason: 'subscription_create', status: 'void' };

describe('the status of a subscription', () => {
  for (const [expected, fields] of [
    ['past_due', { latest_invoice: FIRST }],
    ['active', { latest_invoice: { ...FIRST, status: 'open' } }], // The debit is on its way.
    ['active', { latest_invoice: { ...FIRST, status: 'paid' } }],
    ['active', { latest_invoice: { ...FIRST, billing_reason: 'subscription_cycle' } }],
    ['active', { latest_invoice: { ...FIRST, billing_reason: 'subscription_update' } }],
    ['active', { latest_invoice: 'in_1' }],
    ['paused', { latest_invoice: FIRST, pause_collection: { behavior: 'void' } }],
    ['incomplete', { latest_invoice: FIRST, status: 'incomplete' }],
    ['canceled', { latest_invoice: FIRST, status: 'canceled' }],
  ] as const) {
    test(`is ${expected} for ${JSON.stringify(fields)}`, () => {
      assert.equal(mapSubscription(subscription(fields)).status, expected);
    });
  }
});

describe('the label of a payment method', () => {
  for (const [label, method] of [
    ['visa 4242', { type: 'card', card: { brand: 'visa', last4: '4242' } }],
    ['sepa_debit 3201', { type: 'sepa_debit', sepa_debit: { last4: '3201' } }],
    ['us_bank_account 6789', { type: 'us_bank_account', us_bank_account: { last4: '6789' } }],
    ['paypal', { type: 'paypal', paypal: { payer_email: 'ana@example.org' } }],
  ] as const) {
    test(`is ${label}`, () => {
      const { card } = mapSubscription(
        subscription({ default_payment_method: { id: 'pm_1', ...method } }),
      );
      assert.deepEqual(card, { id: 'pm_1', label });
    });
  }
});
