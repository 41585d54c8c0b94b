import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  callSandboxAdmin,
  createClient,
  startTestSandbox,
} from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const ALL = ['card', 'link', 'paypal', 'sepa_debit', 'us_bank_account'] as const;

describe('the payment methods of an intent', () => {
  for (const [currency, offered] of [
    ['usd', ['card', 'link', 'paypal', 'us_bank_account']],
    ['eur', ['card', 'link', 'paypal', 'sepa_debit']],
    ['jpy', ['card', 'link']],
  ] as const) {
    test(`are those that fit the currency: ${currency}`, async () => {
      const intent = await stripe.paymentIntents.create({
        amount: 5000,
        currency,
        allowed_payment_method_types: ['acss_debit', ...ALL],
      });
      assert.deepEqual(intent.payment_method_types, offered);
      assert.deepEqual(intent.allowed_payment_method_types, ['acss_debit', ...ALL]);
    });
  }

  test('are cards without a list, which is the configuration of the sandbox', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      automatic_payment_methods: { enabled: true },
    });
    assert.deepEqual(intent.payment_method_types, ['card']);
    assert.equal(intent.allowed_payment_method_types, null);
  });

  test('are those for which the account has the capability', async () => {
    const account = 'acct_without_sepa';
    const capability = 'sepa_debit_payments';
    await callSandboxAdmin(url, '/capabilities', { account, capability, active: false });
    const { capabilities } = await stripe.accounts.retrieve(account);
    assert.partialDeepStrictEqual(capabilities, {
      card_payments: 'active',
      paypal_payments: 'active',
      sepa_debit_payments: 'inactive',
      us_bank_account_ach_payments: 'active',
    });
    const create = (allowed_payment_method_types: ('card' | 'sepa_debit')[]) =>
      stripe.paymentIntents.create(
        { amount: 5000, currency: 'eur', allowed_payment_method_types },
        { stripeAccount: account },
      );
    assert.deepEqual((await create(['card', 'sepa_debit'])).payment_method_types, ['card']);
    await assert.rejects(create(['sepa_debit']), { param: 'allowed_payment_method_types' });
    const { data } = await createClient(url, account).events.list({ type: 'account.updated' });
    assert.equal(data.length, 1);
  });

  test('change with the list', async () => {
    const { id, payment_method_types } = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'eur',
      allowed_payment_method_types: ['card', 'sepa_debit'],
    });
    assert.deepEqual(payment_method_types, ['card', 'sepa_debit']);
    const onlyCard = await stripe.paymentIntents.update(id, {
      allowed_payment_method_types: ['card'],
    });
    assert.deepEqual(onlyCard.payment_method_types, ['card']);
  });

  test('cannot be given in two ways, nor by the parameter that Stripe has removed', async () => {
    const create = (params: object) =>
      stripe.paymentIntents.create({ amount: 5000, currency: 'usd', ...params });
    const allowed = { allowed_payment_method_types: ['card'] };
    await assert.rejects(create({ ...allowed, automatic_payment_methods: { enabled: true } }), {
      code: 'parameters_exclusive',
    });
    const removed = { code: 'parameter_unknown', statusCode: 400 };
    await assert.rejects(create({ payment_method_types: ['card'] }), removed);
    await assert.rejects(
      stripe.setupIntents.create({ payment_method_types: ['card'] } as object),
      removed,
    );
  });

  test('are the only ones with which the intent can be confirmed', async () => {
    const create = stripe.paymentIntents.create({
      amount: 5000,
      currency: 'eur',
      allowed_payment_method_types: ['card'],
      confirm: true,
      payment_method: 'pm_success_at',
    });
    await assert.rejects(create, { code: 'payment_intent_incompatible_payment_method' });
  });
});
