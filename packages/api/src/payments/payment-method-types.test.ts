import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import {
  ConnectError,
  EmbedForm,
  EmbedSession,
  type PaymentMethodType,
} from '@connect-embed/contract';
import type Stripe from 'stripe';
import { readError, startApi } from '../../test-support/app/start-api.ts';
import { saveAccount } from './accounts.ts';
import { offeredMethodTypes } from './payment-method-types.ts';
import { toState } from './stripe/accounts.ts';

describe('offeredMethodTypes', () => {
  const ALL = ['us_bank_account', 'sepa_debit', 'paypal', 'link', 'card'];
  const offered = (
    currency: string,
    chosen: readonly string[],
    enabled: readonly string[] | null = ALL,
    form?: readonly string[],
  ) => offeredMethodTypes({ currency }, { chosen_methods: chosen, enabled_methods: enabled }, form);

  for (const [description, methods, expected] of [
    ['follow the order of the form', offered('eur', ALL), ['card', 'link', 'paypal', 'sepa_debit']],
    ['fit the currency', offered('usd', ALL), ['card', 'link', 'paypal', 'us_bank_account']],
    ['are only cards in a currency without others', offered('jpy', ALL), ['card', 'link']],
    ['are chosen by the owner', offered('usd', ['card']), ['card', 'link']],
    ['always contain cards', offered('usd', []), ['card', 'link']],
    ['are enabled at Stripe', offered('usd', ALL, ['card', 'paypal']), ['card', 'paypal']],
    ['are cards without a stored account', offered('usd', ALL, null), ['card']],
    [
      'are those of the form',
      offered('usd', ['card'], ALL, ['paypal']),
      ['card', 'link', 'paypal'],
    ],
    ['can be fewer in the form', offered('usd', ALL, ALL, ['card']), ['card', 'link']],
  ] as const) {
    test(description, () => assert.deepEqual(methods, expected));
  }
});

describe('the payment methods of a Stripe account', () => {
  const account = (capabilities: Record<string, string>) =>
    toState({ id: 'acct_1', capabilities } as unknown as Stripe.Account).paymentMethodTypes;

  test('are those with an active capability', () => {
    const capabilities = { link_payments: 'active', us_bank_account_ach_payments: 'active' };
    const others = { sepa_debit_payments: 'pending', paypal_payments: 'inactive' };
    assert.deepEqual(account({ ...capabilities, ...others }), ['card', 'link', 'us_bank_account']);
  });

  test('include PayPal if the account does not say', () => {
    assert.deepEqual(account({ card_payments: 'active' }), ['card', 'paypal']);
  });
});

describe('an organization whose Stripe account is not stored yet', async () => {
  const { db, deps, post, createKey } = await startApi({ sandbox: true });
  const { token } = await createKey(['payments:write']);
  const retrieve = mock.method(deps.processor, 'retrieveAccount');
  const create = mock.method(deps.processor, 'createPaymentIntent');
  await db
    .updateTable('organization')
    .set({ payment_method_types: ['card', 'us_bank_account'] })
    .execute();
  beforeEach(async () => {
    await db.deleteFrom('processor_account').execute();
    retrieve.mock.resetCalls();
  });
  const CHOSEN = ['card', 'link', 'us_bank_account'];

  async function open() {
    const response = await post('/embed-sessions', token, {});
    assert.equal(response.status, 201);
    return EmbedSession.parse(await response.json()).form?.payment_method_types;
  }

  test('offers what its owner chose in the first form, and fetches the account once', async () => {
    assert.deepEqual(await open(), CHOSEN);
    assert.deepEqual(await open(), CHOSEN);
    assert.equal(retrieve.mock.callCount(), 1);
  });

  test('offers it with its first payment intent, too', async () => {
    const body = { amount_cents: 2000 };
    const response = await post('/payment-intents', token, body, {
      'idempotency-key': randomUUID(),
    });
    assert.equal(response.status, 201);
    assert.deepEqual(create.mock.calls[0]!.arguments[1].offeredMethodTypes, CHOSEN);
    assert.equal(retrieve.mock.callCount(), 1);
  });

  test('offers cards while Stripe cannot be reached', async () => {
    const failure = new ConnectError('unavailable', 'The card processor cannot be reached.');
    retrieve.mock.mockImplementationOnce(() => Promise.reject(failure));
    assert.deepEqual(await open(), ['card']);
    assert.deepEqual(await open(), CHOSEN);
  });
});

describe('a form session', async () => {
  const { db, deps, post, get, createKey } = await startApi({ sandbox: true });
  const { token } = await createKey(['payments:write']);
  const create = mock.method(deps.processor, 'createPaymentIntent');
  afterEach(() => create.mock.resetCalls());

  async function choose(...types: PaymentMethodType[]) {
    await db.updateTable('organization').set({ payment_method_types: types }).execute();
  }
  const state = await deps.processor.retrieveAccount('acct_harbor_street');
  const paymentMethodTypes = ['card', 'paypal', 'us_bank_account'];
  await saveAccount(db, 'org_harbor', { ...state, paymentMethodTypes }, 1);

  async function open(terms: object = {}) {
    const response = await post('/embed-sessions', token, terms);
    const { session_token, form } = EmbedSession.parse(await response.json());
    return { session_token, methods: form?.payment_method_types };
  }
  const give = (session_token: string, key = randomUUID()) =>
    post('/payment-intents', session_token, { amount_cents: 2000 }, { 'idempotency-key': key });
  const sent = () =>
    create.mock.calls.map(({ arguments: [, request] }) => request.offeredMethodTypes);

  test('keeps the payment methods with which it was opened, also for its payment intents', async () => {
    await choose('card', 'us_bank_account');
    const { session_token, methods } = await open();
    assert.deepEqual(methods, ['card', 'us_bank_account']);
    await choose('card');
    assert.deepEqual((await open()).methods, ['card']);
    const response = await get('/embed-sessions/current', session_token);
    const form = EmbedForm.parse(await response.json());
    assert.deepEqual(form.payment_method_types, methods);
    assert.equal((await give(session_token)).status, 201);
    assert.deepEqual(sent(), [methods]);
  });

  test('has those of its form instead of those of the organization', async () => {
    await choose('card', 'us_bank_account');
    const { session_token, methods } = await open({ payment_method_types: ['paypal'] });
    assert.deepEqual(methods, ['card', 'paypal']);
    assert.equal((await give(session_token)).status, 201);
    assert.deepEqual(sent(), [methods]);
  });

  test('rejects a repeated donation if the payment methods have changed, and charges nothing', async () => {
    await choose('card', 'paypal');
    // The server's key opens a session for a donor's retry, when the first one has expired.
    const key = randomUUID();
    const donation = { amount_cents: 2000 };
    const retry = async () => {
      const response = await post('/embed-sessions', token, {});
      const { id } = EmbedSession.parse(await response.json());
      const body = { ...donation, embed_session_id: id };
      return await post('/payment-intents', token, body, { 'idempotency-key': key });
    };
    assert.equal((await retry()).status, 201);
    await db.deleteFrom('idempotency_key').execute(); // A crash has lost the stored response.
    await choose('card');
    // The form then uses a new key, because nothing was confirmed with this one.
    assert.match(
      await readError(await retry()),
      /^409 conflict .*already used for another donation/,
    );
  });

  test('without one, a payment intent has those of the organization', async () => {
    await choose('card', 'paypal');
    assert.equal((await give(token)).status, 201);
    assert.deepEqual(sent(), [['card', 'paypal']]);
  });

  test('rejects an unknown payment method', async () => {
    const response = await post('/embed-sessions', token, { payment_method_types: ['cheque'] });
    assert.match(await readError(response), /^400 invalid_request payment_method_types/);
  });
});
