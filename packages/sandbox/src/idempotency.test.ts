import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ACCOUNT,
  createClient,
  confirmInBrowser,
  startTestSandbox,
} from '../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const donation = { amount: 5000, currency: 'usd' };

describe('an idempotency key', () => {
  test('creates one intent for two calls, and marks the second response as replayed', async () => {
    const first = await stripe.paymentIntents.create(donation, { idempotencyKey: 'twice' });
    const second = await stripe.paymentIntents.create(donation, { idempotencyKey: 'twice' });
    assert.equal(second.id, first.id);
    assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true');
    assert.equal(second.lastResponse.headers['original-request'], first.lastResponse.requestId);
    assert.equal(second.lastResponse.idempotencyKey, 'twice');
  });

  test('is rejected with other parameters', async () => {
    await stripe.paymentIntents.create(donation, { idempotencyKey: 'other' });
    await assert.rejects(
      stripe.paymentIntents.create({ ...donation, amount: 9900 }, { idempotencyKey: 'other' }),
      { type: 'StripeIdempotencyError', statusCode: 400 },
    );
  });

  test('belongs to one account', async () => {
    const intent = await stripe.paymentIntents.create(donation, { idempotencyKey: 'shared' });
    const otherIntent = await createClient(url, 'acct_b').paymentIntents.create(donation, {
      idempotencyKey: 'shared',
    });
    assert.notEqual(intent.id, otherIntent.id);
  });

  test('can be used again after a rejected request', async () => {
    const invalidCall = stripe.paymentIntents.create(
      { ...donation, amount: 1 },
      { idempotencyKey: 'free' },
    );
    await assert.rejects(invalidCall, { code: 'amount_too_small' });
    await stripe.paymentIntents.create(donation, { idempotencyKey: 'free' });
  });

  test('replays a decline without another attempt', async () => {
    const { id } = await stripe.paymentIntents.create(donation);
    const pay = () =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: `pay ${id}` },
      );
    await assert.rejects(pay(), { code: 'card_declined' });
    await assert.rejects(pay(), { code: 'card_declined' });
    const { data } = await stripe.charges.list({ limit: 100 });
    assert.equal(data.filter(({ payment_intent }) => payment_intent === id).length, 1);
  });

  test('of 300 characters is rejected', async () => {
    await assert.rejects(
      stripe.paymentIntents.create(donation, { idempotencyKey: 'x'.repeat(300) }),
      {
        statusCode: 400,
      },
    );
  });

  test('is rejected with 409 while its call is running', async () => {
    const slow = createClient((await startTestSandbox({ latencyMs: 2000 })).url);
    const calls = Array.from({ length: 5 }, () =>
      slow.paymentIntents.create(donation, { idempotencyKey: 'at once' }),
    );
    const results = await Promise.allSettled(calls);
    const rejected = results.filter((result) => result.status === 'rejected');
    assert.equal(rejected.length, 4);
    for (const { reason } of rejected)
      assert.equal((reason as { statusCode: number }).statusCode, 409);
    assert.equal((await slow.paymentIntents.list()).data.length, 1);
  });
});

test('concurrent confirmations charge once', async () => {
  const slow = await startTestSandbox({ latencyMs: 100 });
  const intent = await createClient(slow.url).paymentIntents.create(donation);
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => confirmInBrowser(slow.url, intent, '4242424242424242')),
  );
  // Stripe rejects a confirmation during another one (429 lock_timeout), and after it (400).
  const statuses = responses.map(({ status }) => status).sort();
  assert.equal(statuses[0], 200);
  for (const status of statuses.slice(1)) assert.ok([400, 429].includes(status), String(status));
  const { data } = await createClient(slow.url, ACCOUNT).charges.list();
  assert.equal(data.length, 1);
});
