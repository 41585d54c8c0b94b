/** Donors with subscriptions at the simulated Stripe, for one test file. */
import assert from 'node:assert/strict';
import type Stripe from 'stripe';
import { createClient, confirmInBrowser, waitFor } from './start-sandbox.ts';

export const DAY_SECONDS = 24 * 60 * 60;

/** Returns id and client secret of the intent that pays the first invoice. */
export const intentOf = (invoice: Stripe.Subscription['latest_invoice']) => {
  const { confirmation_secret, payments } = invoice as Stripe.Invoice;
  const id = String(payments?.data[0]?.payment.payment_intent);
  return { id, client_secret: confirmation_secret?.client_secret ?? null };
};

export function recurringDonationsAt(url: string) {
  const stripe = createClient(url);

  /** Creates a donor with a test clock. */
  async function createDonor(at = Date.UTC(2027, 0, 31, 12) / 1000) {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: at });
    const customer = await stripe.customers.create({
      name: 'Ada',
      email: 'ada@example.org',
      test_clock: clock.id,
    });
    const advance = async (to: number) => {
      const advanced = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to });
      assert.equal(advanced.status, 'advancing');
      await waitFor(async () => {
        const { status, frozen_time } = await stripe.testHelpers.testClocks.retrieve(clock.id);
        return status === 'ready' && frozen_time === to;
      });
    };
    return { customer: customer.id, at, advance };
  }

  async function createSubscription(
    customer: string,
    change: Partial<Stripe.SubscriptionCreateParams> = {},
  ) {
    const product = await stripe.products.create({ name: 'Monthly donation' });
    return stripe.subscriptions.create({
      customer,
      items: [
        {
          price_data: {
            currency: 'usd',
            product: product.id,
            unit_amount: 2500,
            recurring: { interval: 'month' },
          },
        },
      ],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { organization_id: 'org_harbor' },
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
      ...change,
    });
  }

  async function paid(card = '4242424242424242', interval?: Stripe.PriceCreateParams.Recurring) {
    const item = await createDonor();
    const started = await createSubscription(
      item.customer,
      interval && { items: await itemsOf(interval) },
    );
    const response = await confirmInBrowser(url, intentOf(started.latest_invoice), card);
    return { ...item, id: started.id, response };
  }

  async function itemsOf(recurring: Stripe.PriceCreateParams.Recurring) {
    const product = await stripe.products.create({ name: 'Donation' });
    const price = await stripe.prices.create({
      currency: 'usd',
      product: product.id,
      unit_amount: 12_000,
      recurring,
    });
    return [{ price: price.id }];
  }

  const eventTypesOf = async (text: string) =>
    (await stripe.events.list({ limit: 100 })).data
      .filter(({ data }) => JSON.stringify(data).includes(text))
      .map(({ type }) => type);

  return { stripe, createDonor, createSubscription, paid, itemsOf, eventTypesOf };
}
