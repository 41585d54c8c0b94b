/** Calls of Stripe's API that no other test covers, with the official client. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { createClient, startTestSandbox } from '../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const paidIntentParams = {
  amount: 5000,
  currency: 'usd',
  confirm: true,
  payment_method: 'pm_card_visa',
} as const;

describe('the official client', () => {
  test('changes, lists and deletes customers', async () => {
    const { id } = await stripe.customers.create({
      name: 'Ada',
      email: 'ada@example.org',
      address: { line1: '1 Harbor Street', country: 'US' },
      preferred_locales: ['de'],
      metadata: { a: '1', b: '2' },
    });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    const changed = await stripe.customers.update(id, {
      name: '',
      metadata: { a: '' },
      invoice_settings: { default_payment_method: method.id },
      expand: ['invoice_settings.default_payment_method'],
    });
    assert.deepEqual([changed.name, changed.metadata], [null, { b: '2' }]);
    assert.deepEqual((await stripe.customers.update(id, { metadata: {} })).metadata, { b: '2' });
    assert.deepEqual((await stripe.customers.update(id, { metadata: '' })).metadata, {});
    const defaultMethod = changed.invoice_settings.default_payment_method;
    assert.equal(typeof defaultMethod === 'object' && defaultMethod?.id, method.id);
    assert.equal((await stripe.customers.list({ email: 'ada@example.org' })).data.length, 1);
    const { subscriptions } = await stripe.customers
      .retrieve(id, {
        expand: ['subscriptions'],
      })
      .then((found) =>
        'deleted' in found && found.deleted ? { subscriptions: undefined } : found,
      );
    assert.deepEqual(subscriptions?.data, []);
    assert.equal((await stripe.customers.del(id)).deleted, true);
    await assert.rejects(stripe.customers.retrieve(id), { statusCode: 404 });
  });

  test('copies the metadata of a payment to its charge, where it is changed separately', async () => {
    const { id } = await stripe.paymentIntents.create({
      ...paidIntentParams,
      metadata: { a: '1', b: '2' },
    });
    const { data } = await stripe.charges.list({ payment_intent: id });
    assert.deepEqual(data[0]?.metadata, { a: '1', b: '2' });
    const changed = await stripe.charges.update(data[0].id, { metadata: { a: '' } });
    assert.deepEqual(changed.metadata, { b: '2' });
    assert.deepEqual((await stripe.paymentIntents.retrieve(id)).metadata, { a: '1', b: '2' });
  });

  test('attaches, changes, charges and detaches saved cards', async () => {
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    const changed = await stripe.paymentMethods.update(id, {
      billing_details: { name: 'Grace' },
      card: { exp_month: 1, exp_year: 2041 },
    });
    assert.deepEqual([changed.billing_details.name, changed.card?.exp_year], ['Grace', 2041]);
    assert.equal((await stripe.paymentMethods.list({ customer })).data.length, 1);
    const charged = await stripe.paymentIntents.create({
      ...paidIntentParams,
      customer,
      payment_method: id,
      off_session: true,
    });
    assert.equal(charged.status, 'succeeded');
    await assert.rejects(
      stripe.paymentIntents.create({ ...paidIntentParams, payment_method: id }),
      {
        param: 'payment_method',
      },
    );
    assert.equal((await stripe.paymentMethods.detach(id)).customer, null);
    assert.equal((await stripe.paymentMethods.retrieve(id)).customer, null);
  });

  test('confirms and cancels setup intents', async () => {
    const intent = await stripe.setupIntents.create({ usage: 'off_session' });
    assert.equal((await stripe.setupIntents.cancel(intent.id)).status, 'canceled');
    const done = await stripe.setupIntents.create({
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    assert.equal(done.status, 'succeeded');
    const declined = stripe.setupIntents.create({
      confirm: true,
      payment_method: 'pm_card_visa_chargeDeclined',
    });
    await assert.rejects(declined, { type: 'StripeCardError', code: 'card_declined' });
    assert.equal((await stripe.setupIntents.list()).data.length, 3);
  });

  test('creates, changes and lists products and prices', async () => {
    const product = await stripe.products.create({ name: 'Donation', metadata: { a: '1' } });
    assert.equal(
      (await stripe.products.update(product.id, { name: 'A donation' })).name,
      'A donation',
    );
    const price = await stripe.prices.create({
      currency: 'usd',
      product: product.id,
      unit_amount: 500,
      recurring: { interval: 'year' },
    });
    const expanded = await stripe.prices.retrieve(price.id, { expand: ['product'] });
    assert.equal(typeof expanded.product === 'object' && expanded.product.id, product.id);
    await stripe.prices.update(price.id, { active: false });
    assert.equal((await stripe.prices.list({ product: product.id })).data[0]?.active, false);
    assert.equal((await stripe.products.list()).data.length, 1);
    const forever = { interval: 'year', interval_count: 4 } as const;
    await assert.rejects(
      stripe.prices.create({
        currency: 'usd',
        product: product.id,
        unit_amount: 500,
        recurring: forever,
      }),
      { param: 'recurring[interval_count]' },
    );
  });

  test('voids invoices and marks them uncollectible', async () => {
    const { id: customer } = await stripe.customers.create();
    const product = await stripe.products.create({ name: 'Donation' });
    const recurring = { interval: 'month' } as const;
    const price_data = { currency: 'usd', product: product.id, unit_amount: 900, recurring };
    const startSubscription = async () => {
      const { latest_invoice } = await stripe.subscriptions.create({
        customer,
        items: [{ price_data }],
        payment_behavior: 'default_incomplete',
      });
      return String(latest_invoice);
    };
    assert.equal((await stripe.invoices.voidInvoice(await startSubscription())).status, 'void');
    const input = await stripe.invoices.markUncollectible(await startSubscription());
    assert.equal(input.status, 'uncollectible');
    const updated = await stripe.invoices.update(input.id ?? '', { metadata: { a: '1' } });
    assert.deepEqual(updated.metadata, { a: '1' });
    await assert.rejects(stripe.invoices.pay(input.id ?? ''), { statusCode: 400 });
    assert.equal((await stripe.invoices.list({ customer, status: 'void' })).data.length, 1);
  });

  test('starts a subscription with a saved card, or creates none if the card is declined', async () => {
    const { id: customer } = await stripe.customers.create();
    const product = await stripe.products.create({ name: 'Donation' });
    const recurring = { interval: 'month' } as const;
    const price_data = { currency: 'usd', product: product.id, unit_amount: 900, recurring };
    const goodCard = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const decliningCard = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer,
    });
    const startSubscription = (default_payment_method: string) =>
      stripe.subscriptions.create({
        customer,
        items: [{ price_data }],
        default_payment_method,
        payment_behavior: 'error_if_incomplete',
      });
    const active = await startSubscription(goodCard.id);
    assert.equal(active.status, 'active');
    const ended = await startSubscription(goodCard.id);
    await stripe.subscriptions.cancel(ended.id);
    const listIds = async (status?: Stripe.SubscriptionListParams.Status) =>
      (await stripe.subscriptions.list({ customer, ...(status && { status }) })).data.map(
        ({ id }) => id,
      );
    assert.deepEqual(await listIds(), [active.id]);
    assert.deepEqual(await listIds('all'), [ended.id, active.id]);
    assert.deepEqual(await listIds('canceled'), [ended.id]);
    assert.deepEqual(await listIds('ended'), [ended.id]);
    await assert.rejects(startSubscription(decliningCard.id), { type: 'StripeCardError' });
    assert.equal((await stripe.subscriptions.list({ customer })).data.length, 1);
  });
});
