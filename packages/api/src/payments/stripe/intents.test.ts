import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectError } from '@connect-embed/contract';
import { startFaultyNetwork, type Fault } from '../../../test-support/network/faulty-network.ts';
import { startApi, stripeAt } from '../../../test-support/app/start-api.ts';
import { readConfig } from '../../config.ts';
import { createProcessor } from './processor.ts';

const { sandboxUrl } = await startApi({ sandbox: true, sandboxEvents: false });
const network = await startFaultyNetwork(sandboxUrl);
after(network.stop);
afterEach(async () => {
  await fetch(`${sandboxUrl}/sandbox/faults`, { method: 'DELETE' });
  network.faults.length = 0;
  network.requests.length = 0;
});

const processor = createProcessor(readConfig({ SANDBOX_URL: network.url }).processor);
const stripe = stripeAt(sandboxUrl);
const HARBOR = {
  id: 'org_harbor',
  name: 'Harbor Street Food Bank',
  currency: 'usd',
  processorAccountId: 'acct_harbor_street',
  timeZone: 'UTC',
};
const BUSY: Fault = { status: 429, body: '{"error":{"type":"rate_limit_error"}}' };

async function createIntent(overrides: object = {}, organization = HARBOR) {
  const { intent } = await processor.createPaymentIntent(organization, {
    amount_cents: 2500,
    source: 'api',
    source_id: 'key_1',
    reference: 'K7QM-4XTZ',
    offeredMethodTypes: ['card'],
    requestKey: randomUUID(),
    ...overrides,
  });
  return intent;
}

const countIntents = async (sourceId: string) => {
  const { data } = await stripe.paymentIntents.list(
    { limit: 100 },
    { stripeAccount: HARBOR.processorAccountId },
  );
  return data.filter(({ metadata }) => metadata['source_id'] === sourceId).length;
};

const injectFault = (fault: object) =>
  fetch(`${sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });

const rejectsWith = (type: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ConnectError);
  assert.equal(error.type, type);
  assert.match(error.message, message);
  return true;
};

/** The payment methods in the body of the latest request. */
const sentMethods = (name: string) =>
  [...new URLSearchParams(network.requests.at(-1)?.body)]
    .filter(([key]) => key.startsWith(`${name}[`))
    .map(([, type]) => type);

const MONTHLY = {
  amount_cents: 2500,
  frequency: 'monthly',
  amounts: '500-100000',
  source: 'api',
  source_id: 'key_1',
  reference: 'K7QM-4XTZ',
  requestKey: randomUUID(),
} as const;

describe('createPaymentIntent', () => {
  test('restricts Stripe to the payment methods that the form offers', async () => {
    await createIntent({ offeredMethodTypes: ['card', 'link', 'paypal', 'us_bank_account'] });
    assert.deepEqual(sentMethods('allowed_payment_method_types'), [
      'card',
      'link',
      'paypal',
      'us_bank_account',
    ]);
    assert.ok(!network.requests.at(-1)!.body.includes('automatic_payment_methods'));
  });

  test('verifies US bank accounts at once, also for recurring donations', async () => {
    const offeredMethodTypes = ['card', 'us_bank_account'];
    const sent = (name: string) => new URLSearchParams(network.requests.at(-1)?.body).get(name);
    const option = 'payment_method_options][us_bank_account][verification_method]';
    await createIntent({ offeredMethodTypes });
    assert.equal(sent(option.replace(']', '')), 'instant');
    await processor.createSubscription(HARBOR, { ...MONTHLY, offeredMethodTypes });
    assert.equal(sent(`payment_settings[${option}`), 'instant');
    await createIntent({ offeredMethodTypes: ['card'] });
    assert.ok(!network.requests.at(-1)!.body.includes('payment_method_options'));
  });

  test('offers PayPal only for donations that are made once', async () => {
    const offeredMethodTypes = ['card', 'paypal'];
    await processor.createSubscription(HARBOR, {
      ...MONTHLY,
      offeredMethodTypes,
      requestKey: randomUUID(),
    });
    assert.deepEqual(sentMethods('payment_settings[payment_method_types]'), ['card']);
  });

  for (const [description, faults] of [
    ['the processor responds 429 three times', [BUSY, BUSY, BUSY]],
    ['the connection is reset', ['reset']],
    ['the response is lost', ['lose response']],
    ['the processor responds 500 once', [{ status: 500, body: '{"error":{"type":"api_error"}}' }]],
  ] as [string, Fault[]][]) {
    test(`succeeds when ${description}, and creates one payment intent`, async () => {
      network.faults.push(...faults);
      const source_id = randomUUID();
      const intent = await createIntent({ source_id });
      assert.match(intent.payment_intent_id, /^pi_/);
      assert.equal(await countIntents(source_id), 1);
      const keys = new Set(network.requests.map(({ headers }) => headers['idempotency-key']));
      assert.equal(keys.size, 1);
    });
  }

  for (const [times, name] of [
    [1, 'server_error'],
    [1, 'server_error_after'],
    [3, 'server_error'],
  ] as const) {
    test(`succeeds when Stripe replays a failure: ${times} ${name}`, async () => {
      await injectFault({ name, count: times, path: '/v1/payment_intents' });
      const [source_id, requestKey] = [randomUUID(), randomUUID()];
      const intent = await createIntent({ source_id, requestKey });
      // Another process, or the same process after a crash, derives the same keys and finds the
      // same intent.
      const repeated = await createIntent({ source_id, requestKey });
      assert.equal(repeated.payment_intent_id, intent.payment_intent_id);
      assert.equal(await countIntents(source_id), name === 'server_error' ? 1 : 2);
    });
  }

  test('fails with unavailable, which can be retried, if every key fails', async () => {
    await injectFault({ name: 'server_error', count: 5, path: '/v1/payment_intents' });
    await assert.rejects(createIntent(), rejectsWith('unavailable', /cannot be reached/));
  });

  for (const [description, faults] of [
    ['always responds 429', [BUSY, BUSY, BUSY, BUSY]],
    ['responds with something other than JSON', Array(4).fill({ status: 200, body: '<html>' })],
    ['is down', Array(4).fill({ status: 503, body: 'secret of the processor' })],
    [
      'rejects the platform’s key',
      [{ status: 401, body: '{"error":{"message":"Invalid API Key: sk_test_***"}}' }],
    ],
    ['does not know the account', [{ status: 403, body: '{"error":{"message":"acct_x"}}' }]],
    ['resets every connection', Array(4).fill('reset')],
  ] as [string, Fault[]][]) {
    test(`fails with unavailable if the processor ${description}`, async () => {
      network.faults.push(...faults);
      await assert.rejects(
        createIntent(),
        rejectsWith('unavailable', /^The card processor cannot be reached/),
      );
    });
  }

  test('fails before its caller times out if Stripe never responds', async () => {
    network.faults.push('hang', 'hang', 'hang');
    const caller = sleep(10_500, 'timed out', { ref: false });
    const rejection = createIntent().catch((error: unknown) => error);
    // A busy machine delays both timers alike.
    const winner = await Promise.race([rejection, caller]);
    assert.notEqual(winner, 'timed out');
    assert.ok(rejectsWith('unavailable', /^The card processor/)(winner));
  });

  test('names the amount as the field that Stripe rejected', async () => {
    const rejectionBody = { error: { type: 'invalid_request_error', code: 'amount_too_small' } };
    network.faults.push({ status: 400, body: JSON.stringify(rejectionBody) });
    await assert.rejects(createIntent(), rejectsWith('invalid_request', /^amount_cents /));
    const kuwaitOrganization = { ...HARBOR, currency: 'kwd' };
    await assert.rejects(
      createIntent({ amount_cents: 2505 }, kuwaitOrganization),
      rejectsWith('invalid_request', /^amount_cents must be a multiple of 10/),
    );
  });

  test('rejects an idempotency key that was used for another donation', async () => {
    const requestKey = randomUUID();
    await createIntent({ requestKey });
    await assert.rejects(
      createIntent({ requestKey, amount_cents: 2600 }),
      rejectsWith('conflict', /^Idempotency-Key /),
    );
  });
});

describe('retrieveSucceededPayment', () => {
  test('fails with unavailable until the payment has succeeded, then includes the fee', async () => {
    const { payment_intent_id: id } = await createIntent({ donor_name: 'Ana Ruiz' });
    const account = { stripeAccount: HARBOR.processorAccountId };
    await assert.rejects(
      processor.retrieveSucceededPayment(id, HARBOR.processorAccountId),
      rejectsWith('unavailable', /does not report pi_\w+ as paid/),
    );
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, account);
    const payment = await processor.retrieveSucceededPayment(id, HARBOR.processorAccountId);
    assert.partialDeepStrictEqual(payment, {
      paymentIntentId: id,
      amountCents: 2500,
      currency: 'usd',
      feeCents: 103,
      metadata: { donor_name: 'Ana Ruiz', organization_id: 'org_harbor' },
    });
  });
});
