import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import {
  createOwnKeysOrganization,
  enterKeys,
  sendOwnEvent,
} from '../../../test-support/donations/own-keys.ts';
import { startApi, stripeAt } from '../../../test-support/app/start-api.ts';
import { secretKeyOf } from './stored-keys.ts';

const api = await startApi({ sandbox: true });
const { db, createKey, post } = api;

const { id, path } = await createOwnKeysOrganization(api, 'forger');
await enterKeys(api, path, 'sk_test_own_forger');

test('an event of one organization does not change the payment of another one', async () => {
  const { token } = await createKey(['payments:write']);
  const response = await post('/payment-intents', token, { amount_cents: 700 });
  const { payment_intent_id } = (await response.json()) as PaymentIntent;
  const load = () =>
    db
      .selectFrom('payment_intent')
      .selectAll()
      .where('id', '=', payment_intent_id)
      .executeTakeFirstOrThrow();
  const before = await load();
  const forged = await sendOwnEvent(api, id, {
    id: 'evt_forged',
    type: 'payment_intent.payment_failed',
    data: {
      object: {
        id: payment_intent_id,
        metadata: { organization_id: id },
        amount: 700,
        currency: 'usd',
        last_payment_error: { code: 'card_declined' },
      },
    },
  });
  assert.equal(forged.status, 200);
  assert.deepEqual(await load(), before);
});

test('an event of one organization does not end the cards that are reserved for another one', async () => {
  const { token } = await createKey(['payments:write']);
  const response = await post('/payment-intents', token, { amount_cents: 700 });
  const { payment_intent_id } = (await response.json()) as PaymentIntent;
  const reservation = { id: 'reserved', organization_id: 'org_harbor', form_key: 'form' };
  await db
    .insertInto('card_reservation')
    .values({
      ...reservation,
      has_proof_of_work: false,
      card_count: 5,
      max_declines: 2,
      payment_intent_id,
    })
    .execute();
  const metadata = { organization_id: id };
  await sendOwnEvent(api, id, {
    id: 'evt_forged_success',
    type: 'payment_intent.succeeded',
    data: { object: { id: payment_intent_id, metadata } },
  });
  const row = await db
    .selectFrom('card_reservation')
    .select(['card_count', 'ended_at'])
    .where('id', '=', reservation.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { card_count: 5, ended_at: null });
});

test('an event id of one organization does not mark the event of another one as handled', async () => {
  const values = { id: 'evt_same', type: 'payment_intent.succeeded' };
  for (const organization_id of [id, 'org_harbor'])
    await db
      .insertInto('processor_event')
      .values({ ...values, organization_id })
      .execute();
});

const ACCOUNT_UPDATED = { type: 'account.updated', data: { object: {} } };

test('an event that names another account is ignored', async () => {
  const event = { ...ACCOUNT_UPDATED, id: 'evt_other', account: 'acct_harbor_street' };
  const response = await sendOwnEvent(api, id, event);
  assert.deepEqual(await response.json(), { received: true, outcome: 'ignored' });
});

test('an event of the platform about an account with own keys is ignored', async () => {
  const send = async (account: string) => {
    const event = {
      ...ACCOUNT_UPDATED,
      id: `evt_${account}`,
      account,
      created: 1,
      livemode: false,
    };
    const payload = JSON.stringify(event);
    const header = stripeAt(api.sandboxUrl).webhooks.generateTestHeaderString({
      payload,
      secret: 'whsec_sandbox',
    });
    const response = await api.app.request('/processor-events', {
      method: 'POST',
      headers: { 'stripe-signature': header },
      body: payload,
    });
    return ((await response.json()) as { outcome: string }).outcome;
  };
  assert.equal(await send('acct_own_forger'), 'ignored');
  assert.equal(await send('acct_harbor_street'), 'recorded');
});

test('an event is acknowledged if Stripe does not accept the own key, or not for the call', async () => {
  const payout = { type: 'payout.paid', data: { object: { id: 'po_1' } } };
  for (const [key, reason] of [
    ['sk_test_revoked', 'StripeAuthenticationError'],
    ['rk_test_own_forger_without_payouts', 'StripePermissionError'],
  ] as const) {
    const encrypted_secret_key = await api.deps.keyEncrypter.encrypt(key, secretKeyOf(id));
    await db
      .updateTable('stripe_key')
      .set({ encrypted_secret_key })
      .where('organization_id', '=', id)
      .execute();
    api.deps.storedKeys.forget('acct_own_forger');
    const response = await sendOwnEvent(api, id, { ...payout, id: `evt_${reason}` });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { received: true, outcome: 'refused', reason });
    assert.ok(!api.logged.join('').includes(key));
  }
});
