import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { DAY_SECONDS, startRecurringDonations } from '../../test-support/recurring.ts';
import { createClient, startTestSandbox } from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const return_url = 'https://harbor.example/donate?form=main';

async function startPayment(params: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const intent = await stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    allowed_payment_method_types: ['card', 'paypal'],
    confirm: true,
    payment_method_data: {
      type: 'paypal',
      billing_details: { name: 'Ada', email: 'ada@example.org' },
    },
    return_url,
    ...params,
  });
  return { intent, page: String(intent.next_action?.redirect_to_url?.url) };
}

const choose = (page: string, choice: string, origin = url) =>
  fetch(page, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ choice }),
    redirect: 'manual',
  });

describe('PayPal', () => {
  for (const [choice, status, redirect_status] of [
    ['confirm', 'succeeded', 'succeeded'],
    ['cancel', 'requires_payment_method', 'failed'],
  ] as const) {
    test(`redirects to its page; ${choice} returns to the site`, async () => {
      const { intent, page } = await startPayment();
      assert.deepEqual(
        [intent.status, intent.next_action?.type, intent.next_action?.redirect_to_url?.return_url],
        ['requires_action', 'redirect_to_url', return_url],
      );
      assert.match(await (await fetch(page)).text(), /\$50\.00/);
      const response = await choose(page, choice);
      assert.equal(response.status, 303);
      const returned = new URL(String(response.headers.get('location')));
      assert.deepEqual(Object.fromEntries(returned.searchParams), {
        form: 'main',
        payment_intent: intent.id,
        payment_intent_client_secret: intent.client_secret,
        redirect_status,
      });
      const ended = await stripe.paymentIntents.retrieve(intent.id);
      assert.deepEqual([ended.status, ended.next_action], [status, null]);
      assert.equal((await choose(page, 'confirm')).status, 404);
    });
  }

  test('names the donor in the charge, and has a fee', async () => {
    const { intent, page } = await startPayment();
    await choose(page, 'confirm');
    const { latest_charge } = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge.balance_transaction'],
    });
    const charge = latest_charge as Stripe.Charge;
    assert.partialDeepStrictEqual(charge.payment_method_details, {
      type: 'paypal',
      paypal: { payer_email: 'ada@example.org', payer_name: 'Ada' },
    });
    assert.equal((charge.balance_transaction as Stripe.BalanceTransaction).fee, 175);
  });

  test('fails with an error and an event when the donor cancels', async () => {
    const { intent, page } = await startPayment();
    await choose(page, 'cancel');
    const { last_payment_error } = await stripe.paymentIntents.retrieve(intent.id);
    assert.partialDeepStrictEqual(last_payment_error, {
      code: 'payment_method_customer_decline',
      payment_method: { type: 'paypal' },
    });
    const { data } = await stripe.events.list({ type: 'payment_intent.payment_failed', limit: 1 });
    assert.equal((data[0]?.data.object as Stripe.PaymentIntent).id, intent.id);
  });

  test('needs a return URL', async () => {
    await assert.rejects(startPayment({ return_url: '' }), { param: 'return_url' });
  });

  test('can be saved, and then pays subscriptions without the donor', async () => {
    const { url, stripe, customer, advance, paid } = await startRecurringDonations();
    const { id, at } = await paid();
    const setup = await stripe.setupIntents.create({
      customer,
      allowed_payment_method_types: ['paypal'],
      confirm: true,
      payment_method_data: { type: 'paypal' },
      return_url,
    });
    assert.equal(setup.status, 'requires_action');
    await choose(String(setup.next_action?.redirect_to_url?.url), 'confirm', url);
    const { status, payment_method } = await stripe.setupIntents.retrieve(setup.id);
    assert.equal(status, 'succeeded');
    await stripe.subscriptions.update(id, { default_payment_method: String(payment_method) });
    await advance(at + 30 * DAY_SECONDS);
    const [renewal] = (await stripe.paymentIntents.list({ expand: ['data.payment_method'] })).data;
    assert.equal(renewal?.status, 'succeeded');
    assert.equal((renewal.payment_method as Stripe.PaymentMethod).type, 'paypal');
  });
});
