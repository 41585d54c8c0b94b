import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ACCOUNT, createClient, startTestSandbox } from '../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);
const callApi = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${url}/v1${path}`, { headers: { 'stripe-account': ACCOUNT, ...headers }, ...init });
const browser = { authorization: 'Bearer pk_test_sandbox' };

describe('an API key', () => {
  test('is required', async () => {
    const response = await callApi('/events', {});
    assert.equal(response.status, 401);
    assert.match(response.headers.get('request-id') ?? '', /^req_/);
    assert.match(await response.text(), /You did not provide an API key/);
  });

  test('is rejected if it is unknown, and is not part of the error', async () => {
    const key = 'sk_live_51HxVeryVerySecretKey';
    await assert.rejects(createClient(url, ACCOUNT, key).events.list(), (error: Error) => {
      assert.equal((error as { type?: string }).type, 'StripeAuthenticationError');
      assert.ok(!error.message.includes(key));
      return true;
    });
  });

  test('is accepted as the user name of Basic authentication', async () => {
    const basic = Buffer.from('sk_test_sandbox:').toString('base64');
    assert.equal((await callApi('/events', { authorization: `Basic ${basic}` })).status, 200);
  });
});

describe('a publishable key', () => {
  test('opens an intent only with its client secret, and shows only public fields', async () => {
    const { id, client_secret } = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      metadata: { donor: 'Ada' },
    });
    assert.equal((await callApi(`/payment_intents/${id}`, browser)).status, 404);
    assert.equal(
      (await callApi(`/payment_intents/${id}?client_secret=${id}_secret_x`, browser)).status,
      404,
    );
    const response = await callApi(
      `/payment_intents/${id}?client_secret=${client_secret}`,
      browser,
    );
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const shown = (await response.json()) as object;
    assert.ok(!('metadata' in shown) && !('latest_charge' in shown));
  });

  for (const path of ['/payment_intents', '/events', '/charges', `/accounts/${ACCOUNT}`]) {
    test(`is rejected for ${path}`, async () => {
      const response = await callApi(path, browser);
      assert.equal(response.status, 403);
      assert.match(await response.text(), /secret_key_required/);
    });
  }

  test('is accepted from any page (CORS)', async () => {
    const response = await callApi(
      '/payment_intents/pi_1/confirm',
      {
        origin: 'https://nonprofit.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,stripe-account',
      },
      { method: 'OPTIONS' },
    );
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });
});

describe('an account', () => {
  test('cannot access objects of another account', async () => {
    const otherClient = createClient(url, 'acct_other');
    const { id } = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' });
    for (const attempt of [
      () => otherClient.paymentIntents.retrieve(id),
      () => otherClient.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
      () => otherClient.paymentIntents.cancel(id),
      () => createClient(url, '').paymentIntents.retrieve(id),
    ]) {
      await assert.rejects(attempt(), {
        statusCode: 404,
        code: 'resource_missing',
        param: 'intent',
      });
    }
    assert.deepEqual((await otherClient.paymentIntents.list()).data, []);
    assert.deepEqual((await otherClient.events.list()).data, []);
    await assert.rejects(otherClient.events.list({ starting_after: id }), { statusCode: 400 });
  });

  test('can be retrieved by its id', async () => {
    const account = await createClient(url, '').accounts.retrieve(ACCOUNT);
    assert.equal(account.charges_enabled, true);
    await assert.rejects(createClient(url, 'not an account').events.list(), {
      statusCode: 403,
      code: 'account_invalid',
    });
  });
});

test('an unknown route has Stripe’s error format', async () => {
  await assert.rejects(stripe.coupons.list(), {
    statusCode: 404,
    type: 'StripeInvalidRequestError',
  });
});
