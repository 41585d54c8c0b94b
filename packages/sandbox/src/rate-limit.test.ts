import assert from 'node:assert/strict';
import { after, describe, mock, test } from 'node:test';
import type Stripe from 'stripe';
import {
  ACCOUNT,
  confirmInBrowser,
  createClient,
  startTestSandbox,
} from '../test-support/start-sandbox.ts';

const LIMIT = 3;

const { url } = await startTestSandbox({ requestsPerSecond: LIMIT });

const create = (client: Stripe) => client.paymentIntents.create({ amount: 5000, currency: 'usd' });

/** The sandbox's clock, which a busy machine would otherwise move past the second. */
let milliseconds = 0;
const clock = mock.method(performance, 'now', () => milliseconds);
after(() => clock.mock.restore());

/** Moves the clock until no request of an earlier test counts. */
const startOfWindow = () => (milliseconds += 1100);

/** Sends requests until one is rejected with Stripe's error for too many requests. */
async function useUp(send: () => Promise<unknown>) {
  const results = await Promise.allSettled(Array.from({ length: LIMIT + 1 }, send));
  const rejections = results.filter((result) => result.status === 'rejected');
  assert.equal(rejections.length, 1);
  const { type, statusCode, code, headers } = rejections[0]!.reason as Stripe.errors.StripeError;
  assert.deepEqual([type, statusCode, code], ['StripeRateLimitError', 429, 'rate_limit']);
  assert.equal(headers?.['stripe-rate-limited-reason'], 'endpoint-rate');
}

describe('the limit of requests per second', () => {
  test('applies to one endpoint of a platform, for all its connected accounts', async () => {
    startOfWindow();
    const client = createClient(url);
    await useUp(() => create(client));
    await assert.rejects(create(createClient(url, 'acct_other')), { code: 'rate_limit' });
    await client.events.list();
    await create(createClient(url, '', 'sk_test_own_garden'));
    startOfWindow();
    await create(client);
  });

  test('counts an endpoint for all ids together', async () => {
    startOfWindow();
    const client = createClient(url);
    const [one, other] = [await create(client), await create(client)];
    let requests = 0;
    await useUp(() => client.paymentIntents.retrieve((requests++ % 2 ? one : other).id));
    await client.paymentIntents.list();
    await client.events.list();
  });

  test('does not store the rejection under the idempotency key', async () => {
    startOfWindow();
    const client = createClient(url);
    await useUp(() => create(client));
    const pay = () =>
      client.paymentIntents.create(
        { amount: 700, currency: 'usd' },
        { idempotencyKey: 'a-busy-second' },
      );
    await assert.rejects(pay(), { code: 'rate_limit' });
    startOfWindow();
    assert.equal((await pay()).amount, 700);
  });

  test('does not apply to browsers', async () => {
    startOfWindow();
    const intent = await create(createClient(url, ACCOUNT));
    const confirm = () => confirmInBrowser(url, intent, '4000000000000002');
    const responses = await Promise.all(Array.from({ length: LIMIT + 1 }, confirm));
    assert.ok(responses.every(({ status }) => status !== 429));
  });
});
