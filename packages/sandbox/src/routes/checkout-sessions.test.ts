import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import {
  callSandboxAdmin,
  createClient,
  startTestSandbox,
  waitFor,
} from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);

const PARAMS = {
  mode: 'payment',
  submit_type: 'donate',
  line_items: [
    {
      price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: '<b>Harbor' } },
      quantity: 1,
    },
  ],
  payment_intent_data: { description: 'Donation', metadata: { reference: 'K7QM-4XTZ' } },
  customer_email: 'ada@example.org',
  success_url: 'https://give.example.org/thanks?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://give.example.org/',
} satisfies Stripe.Checkout.SessionCreateParams;

const create = (change: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({ ...PARAMS, ...change });

/** Submits the payment page, as a browser without JavaScript does. */
const pay = (session: { url: string | null }, number: string, origin = url) =>
  fetch(session.url!, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123' }),
  });

describe('a payment page', () => {
  test('creates the payment intent when the donor pays, and returns the donor', async () => {
    const session = await create();
    assert.equal(session.payment_intent, null);
    const page = await (await fetch(session.url!)).text();
    assert.match(page, /&lt;b&gt;Harbor.*\$25\.00.*ada@example\.org.*<button>Donate/s);
    const response = await pay(session, '4242 4242 4242 4242');
    const location = `https://give.example.org/thanks?session=${session.id}`;
    assert.deepEqual([response.status, response.headers.get('location')], [303, location]);
    const paid = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent'],
    });
    assert.deepEqual([paid.status, paid.payment_status, paid.url], ['complete', 'paid', null]);
    const intent = paid.payment_intent as Stripe.PaymentIntent;
    assert.partialDeepStrictEqual(intent, {
      amount: 2500,
      status: 'succeeded',
      metadata: { reference: 'K7QM-4XTZ' },
    });
    assert.match(await (await pay(session, '4242424242424242')).text(), /was completed/);
    const { data } = await stripe.events.list({ types: ['checkout.session.completed'] });
    assert.equal(data.length, 1);
  });

  test('stays open after a declined card, with the same payment intent', async () => {
    const session = await create();
    for (const number of ['4000 0000 0000 0002', 'not a number']) {
      const response = await pay(session, number);
      assert.equal(response.status, 402);
      assert.match(await response.text(), /role="alert"/);
    }
    await pay(session, '4242424242424242');
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
    const { data } = await stripe.charges.list({ payment_intent: String(payment_intent) });
    assert.deepEqual(data.map(({ status }) => status).sort(), ['failed', 'succeeded']);
  });

  test('cannot be submitted by another site', async () => {
    const session = await create();
    const response = await pay(session, '4242424242424242', 'https://evil.example');
    assert.equal(response.status, 403);
    assert.equal((await stripe.checkout.sessions.retrieve(session.id)).status, 'open');
  });
});

describe('a Checkout session', () => {
  test('is expired to cancel its payment intent', async () => {
    const session = await create();
    await pay(session, '4000000000000002');
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
    const id = String(payment_intent);
    await assert.rejects(stripe.paymentIntents.cancel(id), { statusCode: 400 });
    assert.equal((await stripe.checkout.sessions.expire(session.id)).status, 'expired');
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'canceled');
    await assert.rejects(stripe.checkout.sessions.expire(session.id), { statusCode: 400 });
  });

  test('expires by itself', async () => {
    const session = await create({ expires_at: Math.floor(Date.now() / 1000) + 31 * 60 });
    await callSandboxAdmin(url, '/clock', { seconds: 32 * 60 });
    await waitFor(
      async () => (await stripe.checkout.sessions.retrieve(session.id)).status === 'expired',
    );
  });

  test('is open for 30 minutes to 24 hours', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const expires_at of [now, now + 25 * 60 * 60])
      await assert.rejects(create({ expires_at }), { param: 'expires_at' });
  });

  test('has an address to return to', async () => {
    for (const success_url of ['javascript:alert(1)', '/thanks'])
      await assert.rejects(create({ success_url }), { param: 'success_url' });
  });
});
