import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Stripe from 'stripe';
import { ACCOUNT, createClient, startTestSandbox } from '../test-support/start-sandbox.ts';

const { url } = await startTestSandbox({ latencyMs: 500 });
const server = createClient(url);
const browser = createClient(url, ACCOUNT, 'pk_test_sandbox');

test('an intent is confirmed by one request at a time; a server’s request waits', async () => {
  const { id, client_secret } = await server.paymentIntents.create({
    amount: 500,
    currency: 'usd',
  });
  const params = { client_secret, payment_method: 'pm_card_visa_chargeDeclined' };
  const confirm = () =>
    browser.paymentIntents
      .confirm(id, params as Stripe.PaymentIntentConfirmParams)
      .catch((error: Stripe.errors.StripeError) => error.code);
  const [canceled, ...codes] = await Promise.all([
    // In the middle of a confirmation, which takes the latency of the sandbox.
    new Promise((resolve) => setTimeout(resolve, 250)).then(() => server.paymentIntents.cancel(id)),
    ...Array.from({ length: 5 }, confirm),
  ]);
  assert.equal(canceled.status, 'canceled');
  assert.deepEqual(codes.sort(), ['card_declined', ...Array<string>(4).fill('lock_timeout')]);
  assert.equal((await server.charges.list({ payment_intent: id })).data.length, 1);
});
