import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Stripe from 'stripe';
import {
  ACCOUNT,
  createClient,
  callSandboxAdmin,
  startReceiver,
  startTestSandbox,
  temporaryFolder,
  waitFor,
} from '../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const donation = { amount: 5000, currency: 'usd' };
const paidIntentParams = { ...donation, confirm: true, payment_method: 'pm_card_visa' };

const switchOnFault = (name: string, more: object = {}, at = url) =>
  callSandboxAdmin(at, '/faults', { name, ...more });
const clearFaults = (at = url) => callSandboxAdmin(at, '/faults', {}, 'DELETE');

/** Stripe's client with a short timeout that is still long enough for a busy machine. */
const clientWithTimeout = new Stripe('sk_test_sandbox', {
  host: new URL(url).hostname,
  port: new URL(url).port,
  protocol: 'http',
  maxNetworkRetries: 0,
  timeout: 2000,
  stripeAccount: ACCOUNT,
});

/** Makes calls and returns which of them fail, such as `x..x`. */
async function failurePattern(count: number): Promise<string> {
  const results: string[] = [];
  for (let call = 0; call < count; call += 1) {
    results.push(
      await stripe.events.list({ limit: 1 }).then(
        () => '.',
        () => 'x',
      ),
    );
  }
  return results.join('');
}

describe('a call', () => {
  test('fails by rate, reproducibly for one seed, and at most the given number of times', async () => {
    const pattern = async (seed: string) => {
      await switchOnFault('rate_limit', { rate: 0.4, seed });
      return failurePattern(30);
    };
    const item = await pattern('one');
    assert.equal(await pattern('one'), item);
    assert.notEqual(await pattern('two'), item);
    assert.match(item, /x/);
    assert.match(item, /\./);
    await switchOnFault('rate_limit', { count: 2 });
    assert.equal(await failurePattern(4), 'xx..');
    await clearFaults();
  });

  test('gets Stripe’s own errors, and changes nothing', async () => {
    await switchOnFault('rate_limit', { path: '/v1/payment_intents', count: 1 });
    await stripe.charges.list();
    await assert.rejects(stripe.paymentIntents.create(donation), { type: 'StripeRateLimitError' });
    await switchOnFault('server_error', { count: 1 });
    await assert.rejects(stripe.paymentIntents.create(donation), { type: 'StripeAPIError' });
    // Stripe's client retries once by itself after a reset.
    await switchOnFault('reset', { count: 2 });
    await assert.rejects(stripe.paymentIntents.create(donation), { type: 'StripeConnectionError' });
    assert.deepEqual((await stripe.paymentIntents.list()).data, []);
  });

  for (const [name, created] of [
    ['server_error', 0],
    ['server_error_after', 1],
  ] as const) {
    test(`stores the failure for its idempotency key: ${name}`, async () => {
      const before = (await stripe.paymentIntents.list({ limit: 100 })).data.length;
      await switchOnFault(name, { count: 1, path: '/v1/payment_intents' });
      const idempotencyKey = `donation with ${name}`;
      for (const replayed of [undefined, 'true', 'true']) {
        await assert.rejects(
          stripe.paymentIntents.create(donation, { idempotencyKey }),
          (error) => {
            assert.ok(error instanceof Stripe.errors.StripeAPIError);
            assert.equal(error.statusCode, 500);
            assert.equal(error.headers?.['idempotent-replayed'], replayed);
            return true;
          },
        );
      }
      const { data } = await stripe.paymentIntents.list({ limit: 100 });
      assert.equal(data.length - before, created);
      await stripe.paymentIntents.create(donation, { idempotencyKey: `${idempotencyKey} 2` });
    });
  }

  for (const name of ['timeout', 'lost_response']) {
    test(`is processed although the response is lost: ${name}; its idempotency key returns the response`, async () => {
      const before = (await stripe.charges.list({ limit: 100 })).data.length;
      await switchOnFault(name, {
        count: name === 'lost_response' ? 2 : 1,
        path: '/v1/payment_intents',
      });
      const idempotencyKey = `donation with ${name}`;
      await assert.rejects(
        clientWithTimeout.paymentIntents.create(paidIntentParams, { idempotencyKey }),
        {
          type: 'StripeConnectionError',
        },
      );
      const retried = await stripe.paymentIntents.create(paidIntentParams, { idempotencyKey });
      assert.equal(retried.status, 'succeeded');
      assert.equal((await stripe.charges.list({ limit: 100 })).data.length, before + 1);
    });
  }

  test('is delayed by the fault slow', async () => {
    await switchOnFault('slow', { ms: 200, count: 1 });
    const startedAt = performance.now();
    await stripe.events.list({ limit: 1 });
    assert.ok(performance.now() - startedAt >= 190);
  });
});

describe('events', () => {
  test('are dropped, but remain in the list', async () => {
    const inbox = await startReceiver();
    const sandbox = await startTestSandbox({ webhookUrl: inbox.url });
    await switchOnFault('drop_event', { rate: 0.5, seed: 'a' }, sandbox.url);
    for (let created = 0; created < 20; created += 1)
      await createClient(sandbox.url).paymentIntents.create(donation);
    const [drop] = ((await (await fetch(`${sandbox.url}/sandbox/faults`)).json()) as FaultList)
      .data;
    assert.ok(drop && drop.hits > 0 && drop.hits < 20);
    await waitFor(() => inbox.received.length === 20 - drop.hits);
    const { data } = await createClient(sandbox.url).events.list({ limit: 100 });
    assert.equal(data.length, 20);
  });

  test('are delivered twice and out of order', async () => {
    const inbox = await startReceiver();
    const sandbox = await startTestSandbox({ webhookUrl: inbox.url });
    await switchOnFault('duplicate_event', {}, sandbox.url);
    await switchOnFault('reorder_event', { ms: 1000, seed: 'b' }, sandbox.url);
    const createIntent = () => createClient(sandbox.url).paymentIntents.create(donation);
    await Promise.all(Array.from({ length: 10 }, createIntent));
    await waitFor(() => inbox.received.length === 20);
    const ids = inbox.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    const listedIds = (await createClient(sandbox.url).events.list({ limit: 100 })).data.map(
      ({ id }) => id,
    );
    assert.equal(new Set(ids).size, 10);
    assert.notDeepEqual([...new Set(ids)], listedIds.reverse());
  });

  test('are delivered late', async () => {
    const inbox = await startReceiver();
    const sandbox = await startTestSandbox({ webhookUrl: inbox.url });
    await switchOnFault('delay_event', { ms: 400 }, sandbox.url);
    const started = Date.now();
    await createClient(sandbox.url).paymentIntents.create(donation);
    await waitFor(() => inbox.received.length === 1);
    assert.ok(Date.now() - started >= 400);
  });
});

test('a fault survives a restart of the sandbox; an unknown fault is rejected', async () => {
  const dataDir = temporaryFolder();
  const first = await startTestSandbox({ dataDir });
  await switchOnFault('rate_limit', { count: 1 }, first.url);
  await first.stop();
  const second = await startTestSandbox({ dataDir });
  await assert.rejects(createClient(second.url).events.list(), { type: 'StripeRateLimitError' });
  await createClient(second.url).events.list();
  await assert.rejects(switchOnFault('rain'), /rate_limit, server_error/);
});

type FaultList = { data: { hits: number }[] };
