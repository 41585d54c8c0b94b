import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_SCOPES, type PaymentIntent } from '@connect-embed/contract';
import {
  createOwnKeysOrganization,
  enterKeys,
  ownStripe,
} from '../../../test-support/donations/own-keys.ts';
import { OWNER } from '../../../test-support/app/start-oauth.ts';
import { eventually, startApi } from '../../../test-support/app/start-api.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import { reconcile } from '../reconcile/reconcile.ts';

const api = await startApi({ sandbox: true });
const { db, deps, createKey, post } = api;
const { id, path } = await createOwnKeysOrganization(api, 'modes');
const { token } = await createKey(ALL_SCOPES, id);
const rows = forOrganization(db, id);
const KEYS = { test: 'sk_test_own_modes', live: 'sk_live_own_modes' };
const live = ownStripe(api, KEYS.live);

const useKeys = async (mode: 'test' | 'live') => {
  const { page } = await enterKeys(api, path, KEYS[mode]);
  assert.match(page.text, /Stripe accepted your keys/);
};

/** Pays a donation with the present keys, and returns it once it is recorded. */
async function donate(mode: 'test' | 'live') {
  const donation = { amount_cents: 4000, donor_name: 'Ada', donor_email: 'ada@example.org' };
  const response = await post('/payment-intents', token, donation);
  const { payment_intent_id: intent } = (await response.json()) as PaymentIntent;
  const { client, options } = ownStripe(api, KEYS[mode]);
  await client.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }, options);
  return await eventually(() =>
    rows
      .selectFrom('donation')
      .select(['id', 'contact_id', 'livemode', 'processor_payment_intent_id as intent'])
      .where('processor_payment_intent_id', '=', intent)
      .executeTakeFirst(),
  );
}

/** Opens a donation in the dashboard, and submits a refund nevertheless. */
async function tryRefund(donationId: string) {
  const owner = api.visitor();
  const donationPath = `/dashboard/${id}/donations/${donationId}`;
  const page = await owner.openAs(OWNER, donationPath);
  const form = await owner.open(`${donationPath}/refund`);
  const fields = { returned_before: '0', reason: 'duplicate', amount: '7.50' };
  const refused = await owner.post(`${donationPath}/refund`, fields);
  const saved = await rows.selectFrom('refund').select('id').execute();
  assert.deepEqual(saved, []);
  return { page: page.text, form: form.text, refused };
}

/** Compares everything, and returns the differences and when the mode of the keys was last compared. */
async function compareAll() {
  const differences: string[] = [];
  let comparedBefore: Date | null | undefined;
  await reconcile(
    deps,
    {
      organizationId: id,
      onFailure: (_, error) => {
        throw error;
      },
      compareOptionsFor: ({ comparedAt }) => {
        comparedBefore = comparedAt;
        return { from: new Date(0), repair: true };
      },
    },
    { onDifference: ({ description }) => differences.push(description), onChecked: () => {} },
  );
  return { differences, comparedBefore };
}

/** Returns the payments of what is listed as not paid out yet. */
const unpaidIntents = async () => {
  const unpaid = rows.selectFrom('balance_transaction').where('payout_id', 'is', null);
  return (await unpaid.select('processor_payment_intent_id as intent').execute()).map(
    ({ intent }) => intent,
  );
};

await useKeys('test');
const tested = await donate('test');
await useKeys('live');
const real = await donate('live');

test('a donation has the mode of the keys with which it was paid', () => {
  assert.deepEqual([tested.livemode, real.livemode], [false, true]);
});

test('with live keys, a test donation is neither refunded nor compared', async () => {
  const { page, form, refused } = await tryRefund(tested.id);
  for (const text of [page, form]) assert.match(text, /No money moved, so there is nothing/);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /it is a test, and your organization uses live keys now/);
  assert.deepEqual(await compareAll(), { differences: [], comparedBefore: null });
  assert.deepEqual(await unpaidIntents(), [real.intent]);
});

test('with test keys again, a real donation is neither refunded nor compared', async () => {
  await useKeys('test');
  const { page, form, refused } = await tryRefund(real.id);
  for (const text of [page, form]) assert.match(text, /made with live keys\. To refund it, enter/);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /it was made with live keys, and your organization uses test keys/);
  assert.deepEqual(await compareAll(), { differences: [], comparedBefore: null });
  assert.deepEqual(await unpaidIntents(), [real.intent]);
});

test('with test keys again, the data of a real donation is not erased at Stripe', async () => {
  const owner = api.visitor();
  const erase = `/dashboard/${id}/donors/${real.contact_id}/erase`;
  await owner.openAs(OWNER, erase);
  const refused = await owner.post(erase, { name: 'Ada' });
  assert.match(refused.text, /Will stay at Stripe/);
});

test('what happened at Stripe in the meantime is fetched once the live keys are back', async () => {
  const refund = { payment_intent: real.intent!, amount: 1500 };
  await live.client.refunds.create(refund, live.options);
  const loadRefunded = async () =>
    await rows
      .selectFrom('donation')
      .select('refunded_amount_cents')
      .where('id', '=', real.id)
      .executeTakeFirstOrThrow();
  assert.deepEqual(await loadRefunded(), { refunded_amount_cents: 0 });

  await useKeys('live');
  const { differences, comparedBefore } = await compareAll();
  assert.ok(comparedBefore, 'compares from the time at which the live keys were replaced');
  assert.notDeepEqual(differences, []);
  assert.deepEqual(await loadRefunded(), { refunded_amount_cents: 1500 });
});
