import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Stripe from 'stripe';
import {
  createClient,
  startReceiver,
  startTestSandbox,
  waitFor,
} from '../test-support/start-sandbox.ts';

const connectReceiver = await startReceiver();
const { url } = await startTestSandbox({ webhookUrl: connectReceiver.url });
const clientOf = (key: string, account = '') => createClient(url, account, key);
const own = clientOf('sk_test_own_garden');

describe('an account with its own keys', () => {
  test('is returned for its secret key, and can accept payments', async () => {
    const { id, charges_enabled } = await own.accounts.retrieveCurrent();
    assert.deepEqual([id, charges_enabled], ['acct_own_garden', true]);
  });

  test('has objects of its own, which its publishable key can read with their client secret', async () => {
    const { id, client_secret } = await own.setupIntents.create({ usage: 'off_session' });
    const read = (key: string) =>
      clientOf(key).setupIntents.retrieve(id, { client_secret: client_secret! });
    assert.equal((await read('pk_test_own_garden')).id, id);
    await assert.rejects(read('pk_test_own_other'), /No such/);
    await assert.rejects(read('pk_test_sandbox'), /No such/);
  });

  test('has other objects in live mode, whose events are live', async () => {
    const live = clientOf('sk_live_own_garden');
    assert.equal((await live.accounts.retrieveCurrent()).id, 'acct_own_garden');
    const { id } = await live.paymentIntents.create({ amount: 500, currency: 'usd' });
    await assert.rejects(own.paymentIntents.retrieve(id), /No such/);
    const { data } = await live.events.list();
    assert.deepEqual(new Set(data.map(({ livemode }) => livemode)), new Set([true]));
  });

  test('has no access to other accounts', async () => {
    const other = clientOf('sk_test_own_garden', 'acct_harbor_street');
    await assert.rejects(other.events.list(), Stripe.errors.StripePermissionError);
  });

  test('sends its events without account to its own webhook endpoint only', async () => {
    const receiver = await startReceiver();
    const { secret } = await own.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['payment_intent.created'],
    });
    const { id } = await own.paymentIntents.create({ amount: 500, currency: 'usd' });
    const [delivery] = await waitFor(() => receiver.received.length > 0 && receiver.received);
    const event = own.webhooks.constructEvent(delivery!.body, delivery!.signature, secret!);
    assert.equal((event.data.object as { id: string }).id, id);
    assert.ok(!('account' in event));
    assert.deepEqual(connectReceiver.received, []);
  });

  test('has a restricted key without the permission that the key names', async () => {
    const restricted = clientOf('rk_test_own_garden_without_payouts');
    assert.equal((await restricted.accounts.retrieveCurrent()).id, 'acct_own_garden');
    await assert.rejects(restricted.payouts.list(), Stripe.errors.StripePermissionError);
  });

  test('has no permission for webhook endpoints with a restricted key', async () => {
    const restricted = clientOf('rk_test_own_garden');
    assert.equal((await restricted.accounts.retrieveCurrent()).id, 'acct_own_garden');
    await assert.rejects(
      restricted.webhookEndpoints.create({ url, enabled_events: ['*'] }),
      Stripe.errors.StripePermissionError,
    );
  });
});
