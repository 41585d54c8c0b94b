/** Calls of Stripe's API that no other test covers, with the official client. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { recurringDonationsAt } from '../test-support/recurring.ts';
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
      metadata: { a: '1', b: '2' },
    });
    const changed = await stripe.customers.update(id, { name: '', metadata: { a: '' } });
    assert.deepEqual(
      [changed.name, changed.email, changed.metadata],
      [null, 'ada@example.org', { b: '2' }],
    );
    assert.deepEqual((await stripe.customers.update(id, { metadata: {} })).metadata, { b: '2' });
    assert.deepEqual((await stripe.customers.update(id, { metadata: '' })).metadata, {});
    await assert.rejects(stripe.customers.update(id, { email: 'ada' }), { code: 'email_invalid' });
    assert.equal((await stripe.customers.list({ email: 'ada@example.org' })).data.length, 1);
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

  test('attaches a card to a customer, whose subscriptions it can pay', async () => {
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    assert.equal((await stripe.paymentMethods.retrieve(id)).customer, customer);
    await assert.rejects(
      stripe.paymentIntents.create({ ...paidIntentParams, payment_method: id }),
      { param: 'payment_method' },
    );
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

  test('creates a product with an id once', async () => {
    const product = { id: 'prod_connect', name: 'Donation' };
    assert.equal((await stripe.products.create(product)).id, product.id);
    await assert.rejects(stripe.products.create(product), { code: 'resource_already_exists' });
  });

  test('voids invoices, and lists ended subscriptions only on request', async () => {
    const { customer, createSubscription } = await recurringDonationsAt(url);
    const [ended, ongoing] = [await createSubscription(), await createSubscription()];
    const invoice = (ended.latest_invoice as Stripe.Invoice).id ?? '';
    assert.equal((await stripe.invoices.voidInvoice(invoice)).status, 'void');
    await assert.rejects(stripe.invoices.pay(invoice), { statusCode: 400 });
    await stripe.subscriptions.cancel(ended.id);
    const listIds = async (params: Stripe.SubscriptionListParams = {}) =>
      (await stripe.subscriptions.list({ customer, ...params })).data.map(({ id }) => id);
    assert.deepEqual(await listIds(), [ongoing.id]);
    assert.deepEqual(await listIds({ status: 'all' }), [ongoing.id, ended.id]);
  });
});
