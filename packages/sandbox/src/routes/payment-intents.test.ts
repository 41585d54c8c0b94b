import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import {
  ACCOUNT,
  createClient,
  confirmInBrowser,
  startTestSandbox,
} from '../../test-support/start-sandbox.ts';
import { TEST_CARDS } from '../test-cards.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const createIntent = (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 5000, currency: 'usd', ...params });

describe('a payment intent', () => {
  test('is created, read, changed and canceled with the official client', async () => {
    const intent = await createIntent({
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: { fund_id: 'fund_meals', 'Zoë & co': 'a=b&c[d]' },
      description: 'Donation',
    });
    assert.match(intent.id, /^pi_\w{24}$/);
    assert.match(intent.client_secret ?? '', new RegExp(`^${intent.id}_secret_\\w+$`));
    assert.match(intent.lastResponse.requestId, /^req_\w+$/);
    assert.equal(intent.status, 'requires_payment_method');
    assert.deepEqual(intent.metadata, { fund_id: 'fund_meals', 'Zoë & co': 'a=b&c[d]' });
    assert.deepEqual(intent.automatic_payment_methods, { enabled: true, allow_redirects: 'never' });
    assert.equal(intent.livemode, false);

    const changed = await stripe.paymentIntents.update(intent.id, {
      metadata: { fund_id: '', campaign_id: 'camp_winter' },
    });
    assert.deepEqual(changed.metadata, { 'Zoë & co': 'a=b&c[d]', campaign_id: 'camp_winter' });

    const cancelled = await stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'abandoned',
    });
    assert.equal(cancelled.status, 'canceled');
    const read = await stripe.paymentIntents.retrieve(intent.id);
    assert.deepEqual({ ...cancelled }, { ...read });
    await assert.rejects(
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
      {
        code: 'payment_intent_unexpected_state',
        statusCode: 400,
      },
    );
  });

  test('is paid: charge, fee and net can be expanded in one call', async () => {
    const { id } = await createIntent();
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge.balance_transaction', 'payment_method'],
    });
    assert.equal(paid.status, 'succeeded');
    assert.equal(paid.amount_received, 5000);
    const charge = paid.latest_charge as Stripe.Charge;
    const { fee, net, id: transaction } = charge.balance_transaction as Stripe.BalanceTransaction;
    assert.deepEqual({ fee, net }, { fee: 175, net: 4825 });
    assert.equal(charge.payment_method_details?.card?.last4, '4242');
    assert.equal((paid.payment_method as Stripe.PaymentMethod).card?.brand, 'visa');

    assert.equal((await stripe.charges.retrieve(charge.id)).balance_transaction, transaction);
    const ledger = await stripe.balanceTransactions.retrieve(transaction, { expand: ['source'] });
    assert.equal((ledger.source as Stripe.Charge).id, charge.id);
  });

  test('is paid in the call that creates it', async () => {
    const paid = await createIntent({ confirm: true, payment_method: 'pm_card_visa' });
    assert.equal(paid.status, 'succeeded');
  });

  for (const [end, ended] of [
    [
      'paid',
      () => createIntent({ confirm: true, payment_method: 'pm_card_visa', metadata: { a: '1' } }),
    ],
    [
      'cancelled',
      async () => stripe.paymentIntents.cancel((await createIntent({ metadata: { a: '1' } })).id),
    ],
  ] as const) {
    test(`that was ${end} accepts metadata, and no other payment methods`, async () => {
      const { id, status } = await ended();
      const updated = await stripe.paymentIntents.update(id, { metadata: { b: '2' } });
      assert.deepEqual([updated.metadata, updated.status], [{ a: '1', b: '2' }, status]);
      await assert.rejects(
        stripe.paymentIntents.update(id, {
          allowed_payment_method_types: ['card'],
          metadata: { b: '3' },
        }),
        { code: 'payment_intent_unexpected_state', statusCode: 400 },
      );
      assert.equal((await stripe.paymentIntents.update(id, {})).metadata['b'], '2');
    });
  }

  test('is listed newest first, page by page', async () => {
    const otherAccount = createClient(url, 'acct_pages');
    const created: string[] = [];
    for (let amount = 50; amount < 57; amount += 1) {
      created.unshift((await otherAccount.paymentIntents.create({ amount, currency: 'jpy' })).id);
    }
    const listed = await otherAccount.paymentIntents
      .list({ limit: 3 })
      .autoPagingToArray({ limit: 99 });
    assert.deepEqual(
      listed.map(({ id }) => id),
      created,
    );
  });
});

describe('a card', () => {
  for (const { number, outcome } of TEST_CARDS) {
    const what = typeof outcome === 'string' ? outcome : (outcome.decline_code ?? outcome.code);
    test(`ending in ${number.slice(-4)}: ${what}`, async () => {
      const intent = await createIntent();
      const { status, body } = await confirmInBrowser(url, intent, number);
      if (typeof outcome === 'string') {
        assert.equal(status, 200);
        assert.equal(body.status, outcome === 'succeed' ? 'succeeded' : 'requires_action');
        return;
      }
      assert.equal(status, 402);
      assert.partialDeepStrictEqual(body.error, { type: 'card_error', ...outcome });
      assert.equal(body.error.payment_intent?.status, 'requires_payment_method');
      const { last_payment_error, latest_charge } = await stripe.paymentIntents.retrieve(
        intent.id,
        {
          expand: ['latest_charge'],
        },
      );
      assert.equal(last_payment_error?.code, outcome.code);
      assert.equal((latest_charge as Stripe.Charge).status, 'failed');
      assert.equal(
        (await confirmInBrowser(url, intent, '4242424242424242')).body.status,
        'succeeded',
      );
    });
  }

  for (const [description, number, change, code] of [
    ['real', '4111111111111111', {}, 'card_declined'],
    ['mistyped', '4242424242424241', {}, 'incorrect_number'],
    ['too short', '4242', {}, 'invalid_number'],
    [
      'expired',
      '4242424242424242',
      { 'payment_method_data[card][exp_year]': '2020' },
      'invalid_expiry_year',
    ],
    [
      'with an invalid month',
      '4242424242424242',
      { 'payment_method_data[card][exp_month]': '13' },
      'invalid_expiry_month',
    ],
    [
      'with letters in its security code',
      '4242424242424242',
      { 'payment_method_data[card][cvc]': 'abc' },
      'invalid_cvc',
    ],
  ] as const) {
    test(`that is ${description} is rejected`, async () => {
      const { status, body } = await confirmInBrowser(url, await createIntent(), number, change);
      assert.deepEqual([status, body.error.type, body.error.code], [402, 'card_error', code]);
    });
  }

  test('that is real is declined as a live card', async () => {
    const { body } = await confirmInBrowser(url, await createIntent(), '4111111111111111');
    assert.equal(body.error.decline_code, 'test_mode_live_card');
  });

  test('number from a server is rejected, as at Stripe', async () => {
    const { id } = await createIntent();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
    await assert.rejects(
      stripe.paymentIntents.confirm(id, {
        payment_method_data: {
          type: 'card',
          card,
        } as Stripe.PaymentIntentConfirmParams.PaymentMethodData,
      }),
      { statusCode: 402, message: /generally unsafe/ },
    );
  });
});

describe('authentication', () => {
  const authenticate = async (intent: Stripe.PaymentIntent, outcome: string) => {
    const response = await fetch(`${url}/v1/payment_intents/${intent.id}/authenticate`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams({ client_secret: intent.client_secret ?? '', outcome }),
    });
    return { status: response.status, body: (await response.json()) as { status?: string } };
  };

  test('that is completed pays the intent', async () => {
    const intent = await createIntent({
      confirm: true,
      payment_method: 'pm_card_authenticationRequired',
    });
    assert.equal(intent.next_action?.type, 'use_stripe_sdk');
    assert.equal((await authenticate(intent, 'complete')).body.status, 'succeeded');
    assert.equal((await authenticate(intent, 'complete')).status, 400);
  });

  test('that failed leaves the intent open for another card', async () => {
    const intent = await createIntent({
      confirm: true,
      payment_method: 'pm_card_authenticationRequired',
    });
    assert.equal((await authenticate(intent, 'fail')).status, 402);
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(intent.id);
    assert.equal(status, 'requires_payment_method');
    assert.equal(last_payment_error?.code, 'payment_intent_authentication_failure');
  });
});

describe('bad input', () => {
  for (const [description, sent, expected] of [
    ['no amount', { currency: 'usd' }, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { amount: 100 }, { code: 'parameter_missing', param: 'currency' }],
    [
      'a fraction of a cent',
      { amount: 100.5 },
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    [
      'an amount as text',
      { amount: 'lots' },
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    [
      'an amount with an exponent',
      { amount: '1e3' },
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    ['a negative amount', { amount: -100 }, { code: 'parameter_invalid_integer', param: 'amount' }],
    ['an amount below the minimum', { amount: 49 }, { code: 'amount_too_small', param: 'amount' }],
    [
      'an amount above the maximum',
      { amount: 100_000_000 },
      { code: 'amount_too_large', param: 'amount' },
    ],
    ['an unknown currency', { currency: 'zzz' }, { param: 'currency' }],
    ['a misspelled parameter', { amonut: 1 }, { code: 'parameter_unknown', param: 'amonut' }],
    ['a parameter named __proto__', { ['__proto__[amount]']: 1 }, { code: 'parameter_unknown' }],
    [
      'a parameter named constructor',
      { constructor: 1 },
      { code: 'parameter_unknown', param: 'constructor' },
    ],
    [
      'a misspelled nested parameter',
      { automatic_payment_methods: { on: true } },
      { code: 'parameter_unknown' },
    ],
    ['metadata that is too long', { metadata: { a: 'x'.repeat(501) } }, { param: 'metadata' }],
    [
      'a parameter that the sandbox does not support',
      { on_behalf_of: 'acct_1' },
      { param: 'on_behalf_of' },
    ],
    ['an unknown expand path', { expand: ['client_secret.x'] }, { param: 'expand' }],
  ] as [string, object, object][]) {
    test(`${description} is rejected with the name of the parameter, and creates nothing`, async () => {
      const { data: before } = await stripe.paymentIntents.list({ limit: 1 });
      const params =
        description.startsWith('no amount') || description === 'no currency'
          ? sent
          : { amount: 5000, currency: 'usd', ...sent };
      await assert.rejects(stripe.paymentIntents.create(params as never), {
        type: 'StripeInvalidRequestError',
        statusCode: 400,
        ...expected,
      });
      const { data: now } = await stripe.paymentIntents.list({ limit: 1 });
      assert.equal(now[0]?.id, before[0]?.id);
    });
  }

  test('a JSON body is rejected', async () => {
    const response = await fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/json' },
      body: '{"amount":5000,"currency":"usd"}',
    });
    assert.equal(response.status, 400);
  });

  test('a body above the size limit is rejected', async () => {
    await assert.rejects(createIntent({ description: 'x'.repeat(300_000) }), { statusCode: 413 });
  });
});
