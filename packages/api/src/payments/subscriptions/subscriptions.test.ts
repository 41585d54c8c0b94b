import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ConnectError, EmbedSession, PaymentIntent } from '@connect-embed/contract';
import { ACCOUNT, subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { eventually, readError, startApi } from '../../../test-support/app/start-api.ts';
import { withDeadline } from '../stripe/deadline.ts';

const api = await startApi({ sandbox: true });
const { db, post, createKey } = api;
const {
  makeCardDecline,
  createUnpaid,
  pay,
  createActive,
  rowOf,
  donationsOf,
  advance,
  statusOf,
  mailsOf,
  stripe,
  ON_ACCOUNT,
} = subscriptionHelpers(api);
const { token } = await createKey();
const DAY = 86_400;

const injectFault = (fault: object) =>
  fetch(`${api.sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });

const countDonations = (planId: string, count: number) =>
  eventually(async () => {
    const all = await donationsOf(planId);
    return all.length >= count ? all : undefined;
  });

describe('POST /payment-intents with a frequency', () => {
  test('creates a subscription whose first payment is a recurring donation', async () => {
    const { intent, email } = await createUnpaid({ fund_id: 'fund_meals', frequency: 'quarterly' });
    assert.match(intent.payment_intent_id, /^pi_/);
    assert.match(intent.client_secret, new RegExp(`^${intent.payment_intent_id}_secret_`));
    assert.equal((await rowOf(email))?.status, 'incomplete');
    assert.equal(await pay(intent), 'succeeded');
    const subscription = await statusOf(email, 'active');
    const [donation] = await countDonations(subscription.id, 1);
    assert.partialDeepStrictEqual(donation, {
      recurring: true,
      amount_cents: 2500,
      fee_cents: 103,
      fund_id: 'fund_meals',
      donor_name: 'Ana Ruiz',
      source: 'api',
      processor_payment_intent_id: intent.payment_intent_id,
      reference: intent.reference,
      payment_method: 'card',
      card_brand: 'visa',
    });
    assert.partialDeepStrictEqual(subscription, { frequency: 'quarterly', fund_id: 'fund_meals' });
    assert.deepEqual(await mailsOf(subscription.id), ['receipt']);
    const months = (subscription.next_payment_at!.getTime() - Date.now()) / (30 * DAY * 1000);
    assert.ok(months > 2.9 && months < 3.2);
  });

  for (const [name, path] of [
    ['server_error', '/v1/products'],
    ['server_error', '/v1/customers'],
    ['server_error', '/v1/subscriptions'],
    ['server_error_after', '/v1/subscriptions'],
  ] as const) {
    test(`is charged once if Stripe replays a failure: ${name} ${path}`, async () => {
      await injectFault({ name, path, count: 1 });
      const key = { 'idempotency-key': randomUUID() };
      const email = `${randomUUID()}@example.org`;
      const body = { amount_cents: 900, frequency: 'monthly', donor_email: email };
      const first = await post('/payment-intents', token, body, key);
      const intent = (await first.json()) as PaymentIntent;
      await db.deleteFrom('idempotency_key').execute();
      const repeated = await post('/payment-intents', token, body, key);
      assert.deepEqual(await repeated.json(), intent);
      assert.equal(await pay(intent), 'succeeded');
      const subscription = await eventually(async () =>
        (await db.selectFrom('recurring_plan').selectAll().execute()).find(
          ({ donor_email, status }) => donor_email === email && status === 'active',
        ),
      );
      const [donation] = await countDonations(subscription.id, 1);
      assert.equal(donation?.processor_payment_intent_id, intent.payment_intent_id);
      const { data } = await stripe.charges.list({ limit: 100 }, ON_ACCOUNT);
      const intents = data.map(({ payment_intent }) => payment_intent);
      assert.equal(intents.filter((id) => id === intent.payment_intent_id).length, 1);
    });
  }

  test('is interrupted when it takes too long, and a repeated request creates one subscription', async () => {
    const request = {
      amount_cents: 900,
      frequency: 'monthly',
      amounts: '500-1000',
      source: 'api',
      source_id: 'key_slow',
      reference: 'K7QM-4XTZ',
      offeredMethodTypes: ['card'],
      requestKey: randomUUID(),
    } as const;
    const slowOrganization = {
      id: 'org_slow',
      name: 'Slow',
      currency: 'usd',
      processorAccountId: ACCOUNT,
      timeZone: 'UTC',
    };
    const createSubscription = () =>
      api.deps.processor.createSubscription(slowOrganization, request);
    await injectFault({ name: 'slow', ms: 800 });
    await assert.rejects(
      withDeadline(createSubscription, 1200),
      ({ type, message }: ConnectError) => type === 'unavailable' && /in time/.test(message),
    );
    await fetch(`${api.sandboxUrl}/sandbox/faults`, { method: 'DELETE' });
    const { snapshot } = await createSubscription();
    const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 }, ON_ACCOUNT);
    const ownSubscriptions = data.filter(({ metadata }) => metadata['source_id'] === 'key_slow');
    assert.deepEqual(
      ownSubscriptions.map(({ id }) => id),
      [snapshot.subscriptionId],
    );
  });

  test('creates one subscription for repeated requests with one idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const donation = { amount_cents: 700, frequency: 'monthly', donor_email: 'once@example.org' };
    const responses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // Simulates a crash that lost the stored response.
      await db.deleteFrom('idempotency_key').execute();
      responses.push(
        (await (await post('/payment-intents', token, donation, key)).json()) as object,
      );
    }
    assert.deepEqual(responses[1], responses[0]);
    assert.deepEqual(responses[2], responses[0]);
    await pay(responses[0] as PaymentIntent);
    const subscription = await statusOf('once@example.org', 'active');
    await db.deleteFrom('idempotency_key').execute();
    await post('/payment-intents', token, donation, key);
    assert.equal((await rowOf('once@example.org'))?.status, 'active');
    assert.equal((await countDonations(subscription.id, 1)).length, 1);
  });

  test('is checked against the terms of the form', async () => {
    const terms = { frequencies: ['monthly'], min_amount_cents: 1000, max_amount_cents: 5000 };
    const response = await post('/embed-sessions', token, terms);
    const { session_token } = (await response.json()) as EmbedSession;
    const createPaymentIntent = (donation: object) =>
      post('/payment-intents', session_token, donation);
    const yearly = await createPaymentIntent({ amount_cents: 2000, frequency: 'yearly' });
    assert.match(await readError(yearly), /^400 invalid_request frequency /);
    const small = await createPaymentIntent({ amount_cents: 900, frequency: 'monthly' });
    assert.match(await readError(small), /^400 invalid_request amount_cents /);
    const { email } = await createUnpaid({}, session_token);
    assert.partialDeepStrictEqual(await rowOf(email), { amounts: '1000-5000', source: 'embed' });
  });

  test('has metadata of the API, which no caller can set', async () => {
    const terms = {
      frequencies: ['monthly'],
      fee_cover: 'offered',
      payment_method_types: ['card', 'us_bank_account'],
    };
    const session = await post('/embed-sessions', token, terms);
    const { session_token } = (await session.json()) as EmbedSession;
    const { email } = await createUnpaid(
      { amount_cents: 2606, fee_cover_cents: 106 },
      session_token,
    );
    const { processor_subscription_id } = (await rowOf(email))!;
    const { metadata } = await stripe.subscriptions.retrieve(
      processor_subscription_id,
      {},
      ON_ACCOUNT,
    );
    const keys = Object.keys(metadata);
    for (const key of ['amounts', 'fee_cover', 'payment_method_types'])
      assert.ok(keys.includes(key));
    for (const key of keys) {
      const body = { amount_cents: 2500, frequency: 'monthly', metadata: { [key]: 'x' } };
      const response = await post('/payment-intents', ['payments:write'], body);
      assert.match(await readError(response), new RegExp(`^400 invalid_request metadata.${key} `));
    }
  });

  test('creates no donation if the card is declined, and is deleted after a day', async () => {
    const { intent, email } = await createUnpaid();
    await pay(intent, '4000000000000002');
    const { id, processor_subscription_id } = (await rowOf(email))!;
    await advance(DAY);
    await eventually(async () => ((await rowOf(email)) ? undefined : true));
    assert.deepEqual(await donationsOf(id), []);
    const stripeSubscription = await stripe.subscriptions.retrieve(
      processor_subscription_id,
      {},
      ON_ACCOUNT,
    );
    assert.equal(stripeSubscription.status, 'incomplete_expired');
  });
});

describe('a subscription', () => {
  test('renews: each payment is one donation with a receipt', async () => {
    const subscription = await createActive({ fund_id: 'fund_meals' });
    await advance('month');
    await advance(2 * 3600);
    await countDonations(subscription.id, 2);
    await advance('month');
    await advance(4 * DAY); // The next 30th or 31st, if a shorter month came in between.
    const donations = await countDonations(subscription.id, 3);
    assert.ok(donations.every(({ recurring, fund_id }) => recurring && fund_id === 'fund_meals'));
    assert.equal(new Set(donations.map((donation) => donation.contact_id)).size, 1);
    assert.equal(new Set(donations.map((donation) => donation.reference)).size, 3);
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'receipt', 'receipt']);
    const row = await rowOf(subscription.email);
    assert.ok(row!.next_payment_at! > subscription.next_payment_at!);
  });

  test('is overdue after a failed renewal, which creates no donation', async () => {
    const subscription = await createActive();
    await makeCardDecline(subscription);
    await advance('month');
    await advance(2 * 3600);
    await statusOf(subscription.email, 'past_due');
    assert.equal((await donationsOf(subscription.id)).length, 1);
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'plan_card', 'plan_failed']);
  });

  test('is canceled when it is canceled at Stripe', async () => {
    const subscription = await createActive();
    await stripe.subscriptions.cancel(subscription.processor_subscription_id, {}, ON_ACCOUNT);
    const ended = await statusOf(subscription.email, 'canceled');
    assert.ok(ended.canceled_at);
    assert.equal(ended.next_payment_at, null);
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'plan_canceled']);
  });
});
