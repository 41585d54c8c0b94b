import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import {
  createOwnKeysOrganization,
  enterKeys,
  ownStripe,
  planOf,
} from '../../../test-support/donations/own-keys.ts';
import { OWNER } from '../../../test-support/app/start-oauth.ts';
import { startApi } from '../../../test-support/app/start-api.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { saveOwnKeys } from './manage-keys.ts';
import { saveRejectedKeys } from './rejected-keys.ts';
import { secretKeyOf } from './stored-keys.ts';

// The sandbox sends no events, so that a payment stays unrecorded.
const api = await startApi({ sandbox: true, sandboxEvents: false });
const { db, createKey, post } = api;
const newOrganization = (name: string) => createOwnKeysOrganization(api, name);

async function startPayment(organizationId: string) {
  const { token } = await createKey(['payments:write'], organizationId);
  const response = await post('/payment-intents', token, { amount_cents: 700 });
  assert.equal(response.status, 201);
  return ((await response.json()) as PaymentIntent).payment_intent_id;
}

const loadOrganization = (id: string) =>
  db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Replaces the stored key by one that Stripe does not accept, as if the owner had revoked it there. */
async function revokeKeys(organizationId: string) {
  const encrypted_secret_key = await api.deps.keyEncrypter.encrypt(
    'sk_test_revoked',
    secretKeyOf(organizationId),
  );
  const rows = db.updateTable('stripe_key').set({ encrypted_secret_key });
  await rows.where('organization_id', '=', organizationId).execute();
  const { processor_account_id } = await loadOrganization(organizationId);
  api.deps.storedKeys.forget(processor_account_id!);
}

const removeKeys = async (path: string) => {
  const owner = api.visitor();
  await owner.openAs(OWNER, `${path}/keys/remove`);
  return await owner.post(`${path}/keys/remove`, {});
};

const KEYS_REJECTED = /Stripe no longer accepts your keys\. Enter them again\./;

test('after keys were removed, only keys of the same account are accepted', async () => {
  const { id, path } = await newOrganization('kept');
  await enterKeys(api, path, 'sk_test_own_kept');
  await startPayment(id);
  assert.match((await removeKeys(path)).text, /Stripe keys removed/);
  const other = await enterKeys(api, path, 'sk_test_own_changed');
  assert.equal(other.page.status, 400);
  assert.match(other.page.text, /Belongs to another Stripe account than your donations/);
  const opened = await other.owner.post(`${path}/onboarding`, {});
  assert.match(opened.text, /Your donations were paid to the Stripe account acct_own_kept/);
  const same = await enterKeys(api, path, 'sk_test_own_kept');
  assert.match(same.page.text, /Stripe accepted your keys/);
});

test('an account of the platform has no keys to remove', async () => {
  const { processor_account_id, removed_account_id } = await loadOrganization('org_harbor');
  const owner = api.visitor();
  await owner.openAs(OWNER, '/dashboard/org_harbor/payments');
  const refused = await owner.post('/dashboard/org_harbor/payments/keys/remove', {});
  assert.equal(refused.status, 404);
  const account = { processor_account_id, removed_account_id };
  assert.partialDeepStrictEqual(await loadOrganization('org_harbor'), account);
});

test('keys are changed only with two-step sign-in, if the organization requires it', async () => {
  const { id, path } = await newOrganization('strict');
  await enterKeys(api, path, 'sk_test_own_strict');
  const required = { require_second_factor: true };
  await db.updateTable('organization').set(required).where('id', '=', id).execute();
  const before = await db.selectFrom('stripe_key').selectAll().orderBy('organization_id').execute();
  const owner = api.visitor();
  assert.match((await owner.openAs(OWNER, `${path}/keys`)).text, /requires two-step sign-in/);
  const input = { secret_key: 'sk_test_own_thief', publishable_key: 'pk_test_own_thief' };
  await owner.post(`${path}/keys`, input);
  await owner.post(`${path}/keys/webhook`, { webhook_secret: 'whsec_of_a_thief' });
  await owner.post(`${path}/keys/remove`, {});
  assert.deepEqual(
    await db.selectFrom('stripe_key').selectAll().orderBy('organization_id').execute(),
    before,
  );
});

test('removing keys cancels the payments that donors have started', async () => {
  const { id, path } = await newOrganization('started');
  await enterKeys(api, path, 'sk_test_own_started');
  const intent = await startPayment(id);
  const { client, options } = ownStripe(api, 'sk_test_own_started');
  assert.match((await removeKeys(path)).text, /Stripe keys removed/);
  const { status } = await client.paymentIntents.retrieve(intent, {}, options);
  assert.equal(status, 'canceled');
});

test('keys are not removed while a paid donation is not recorded', async () => {
  const { id, path } = await newOrganization('paid');
  await enterKeys(api, path, 'sk_test_own_paid');
  const intent = await startPayment(id);
  const { client, options } = ownStripe(api, 'sk_test_own_paid');
  const [endpoint] = (await client.webhookEndpoints.list({}, options)).data;
  await client.webhookEndpoints.update(endpoint!.id, { disabled: true }, options);
  await client.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }, options);
  assert.match((await removeKeys(path)).text, /A payment is being completed/);
  assert.equal((await loadOrganization(id)).processor_account_id, 'acct_own_paid');
});

test('test keys replace live keys again, and cancel the payments that donors have started', async () => {
  const { id, path } = await newOrganization('lived');
  await enterKeys(api, path, 'sk_test_own_lived');
  await enterKeys(api, path, 'sk_live_own_lived');
  const { live_since } = await loadOrganization(id);
  const intent = await startPayment(id);
  const tested = await enterKeys(api, path, 'sk_test_own_lived');
  assert.match(tested.page.text, /Stripe accepted your keys/);
  const { client, options } = ownStripe(api, 'sk_live_own_lived');
  assert.equal((await client.paymentIntents.retrieve(intent, {}, options)).status, 'canceled');
  assert.deepEqual((await loadOrganization(id)).live_since, live_since);
});

test('test keys do not replace live keys while a real payment is being completed', async () => {
  const { id, path } = await newOrganization('completing');
  await enterKeys(api, path, 'sk_live_own_completing');
  const intent = await startPayment(id);
  const { client, options } = ownStripe(api, 'sk_live_own_completing');
  const [endpoint] = (await client.webhookEndpoints.list({}, options)).data;
  await client.webhookEndpoints.update(endpoint!.id, { disabled: true }, options);
  await client.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }, options);
  const { page } = await enterKeys(api, path, 'sk_test_own_completing');
  assert.equal(page.status, 400);
  assert.match(page.text, /Is a test key, but a real payment is being completed/);
  const same = await enterKeys(api, path, 'sk_live_own_completing');
  assert.match(same.page.text, /Stripe accepted your keys/);
});

test('test keys do not replace live keys while a real recurring donation runs', async () => {
  const { id, path } = await newOrganization('running');
  await enterKeys(api, path, 'sk_live_own_running');
  const real = { ...planOf(id), livemode: true };
  await db.insertInto('recurring_plan').values(real).execute();
  const plans = db.updateTable('recurring_plan').where('organization_id', '=', id);
  for (const status of ['active', 'paused', 'past_due'] as const) {
    await plans.set({ status }).execute();
    const { page } = await enterKeys(api, path, 'sk_test_own_running');
    assert.equal(page.status, 400);
    assert.match(
      page.text,
      /Is a test key, but a recurring donation runs with your live keys\. End it first/,
    );
  }
  await plans.set({ status: 'canceled', canceled_at: new Date() }).execute();
  const { page } = await enterKeys(api, path, 'sk_test_own_running');
  assert.match(page.text, /Stripe accepted your keys/);
});

test('live keys of another account replace test keys once', async () => {
  const { id, path } = await newOrganization('moved');
  await enterKeys(api, path, 'sk_test_own_sandbox');
  await startPayment(id);
  const live = await enterKeys(api, path, 'sk_live_own_moved');
  assert.match(live.page.text, /Stripe accepted your keys/);
  for (const key of ['sk_live_own_third', 'sk_test_own_sandbox']) {
    const { page } = await enterKeys(api, path, key);
    assert.equal(page.status, 400);
    assert.match(page.text, /Belongs to another Stripe account than your donations/);
  }
});

test('live keys end the recurring donations of the test, and register the domains again', async () => {
  const { id, path } = await newOrganization('went-live');
  await enterKeys(api, path, 'sk_test_own_live');
  await db.insertInto('recurring_plan').values(planOf(id)).execute();
  const domain = { organization_id: id, domain: 'www.example.org', processor_domain_id: 'pmd_1' };
  const active = { apple_pay: 'active', google_pay: 'active', checked_at: new Date() };
  await db
    .insertInto('payment_domain')
    .values({ ...domain, ...active })
    .execute();
  await enterKeys(api, path, 'sk_live_own_live');
  const plan = await db
    .selectFrom('recurring_plan')
    .select('status')
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(plan.status, 'canceled');
  const forgotten = await db
    .selectFrom('payment_domain')
    .select(['processor_domain_id', 'apple_pay', 'google_pay', 'checked_at'])
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(new Set(Object.values(forgotten)), new Set([null]));
});

test('the first live keys leave the balance of the test behind, and later ones keep what is not paid out', async () => {
  const { id, path } = await newOrganization('balanced');
  const book = (transaction: string) =>
    db
      .insertInto('balance_transaction')
      .values({
        ...{ id: `btx_${transaction}`, organization_id: id, reporting_category: 'fee' },
        ...{ processor_transaction_id: transaction, amount_cents: -50, fee_cents: 0 },
        currency: 'usd',
      })
      .execute();
  const booked = async () => {
    const rows = db.selectFrom('balance_transaction').select('processor_transaction_id as id');
    return (await rows.where('organization_id', '=', id).execute()).map((row) => row.id);
  };
  await enterKeys(api, path, 'sk_test_own_balanced');
  await book('txn_test');
  await enterKeys(api, path, 'sk_live_own_balanced');
  assert.deepEqual(await booked(), []);
  await book('txn_live');
  await enterKeys(api, path, 'sk_test_own_balanced');
  await enterKeys(api, path, 'sk_live_own_balanced');
  assert.deepEqual(await booked(), ['txn_live']);
});

test('keys of an account that another organization uses leave no endpoint at Stripe', async () => {
  const { path } = await newOrganization('first');
  await enterKeys(api, path, 'sk_test_own_shared');
  const second = await newOrganization('second');
  const { page } = await enterKeys(api, second.path, 'sk_test_own_shared');
  assert.match(page.text, /Belongs to a Stripe account that another organization uses here/);
  const { client, options } = ownStripe(api, 'sk_test_own_shared');
  assert.equal((await client.webhookEndpoints.list({}, options)).data.length, 1);
});

test('an endpoint is deleted again if its keys could not be saved', async () => {
  const { id, path, personId } = await newOrganization('late');
  const early = await newOrganization('early');
  const { processor } = api.deps;
  const createWebhookEndpoint: typeof processor.createWebhookEndpoint = async (...args) => {
    const endpoint = await processor.createWebhookEndpoint(...args);
    await enterKeys(api, early.path, 'sk_test_own_taken');
    return endpoint;
  };
  const deps = { ...api.deps, processor: { ...processor, createWebhookEndpoint } };
  const keys = { secret_key: 'sk_test_own_taken', publishable_key: 'pk_test_own_taken' };
  await assert.rejects(saveOwnKeys(deps, { organizationId: id, personId }, keys), {
    param: 'secret_key',
  });
  assert.match((await api.visitor().openAs(OWNER, path)).text, /Enter Stripe keys/);
  const { client, options } = ownStripe(api, 'sk_test_own_taken');
  const { data } = await client.webhookEndpoints.list({}, options);
  assert.deepEqual(
    data.map(({ url }) => url),
    [`${api.url}/processor-events/${early.id}`],
  );
});

test('the endpoint of a key that was revoked is deleted with the new key', async () => {
  const { id, path } = await newOrganization('rolled');
  await enterKeys(api, path, 'sk_test_own_rolled');
  await revokeKeys(id);
  await enterKeys(api, path, 'sk_test_own_rolled');
  const { client, options } = ownStripe(api, 'sk_test_own_rolled');
  assert.equal((await client.webhookEndpoints.list({}, options)).data.length, 1);
});

test('keys that Stripe no longer accepts are shown as a problem, and can be removed', async () => {
  const { id, path } = await newOrganization('revoked');
  await enterKeys(api, path, 'sk_test_own_revoked');
  await startPayment(id);
  await revokeKeys(id);
  await reconcile(
    api.deps,
    { organizationId: id, onFailure: () => {}, compareOptionsFor: () => undefined },
    { onDifference: () => {}, onChecked: () => {} },
  );
  const owner = api.visitor();
  const page = await owner.openAs(OWNER, path);
  assert.match(page.text, KEYS_REJECTED);
  assert.doesNotMatch(page.text, /Continue at Stripe/);
  assert.match((await owner.open(`/dashboard/${id}`)).text, KEYS_REJECTED);
  assert.match((await removeKeys(path)).text, /Stripe keys removed/);
});

test('keys that Stripe no longer accepts are noticed by the first donation', async () => {
  const { id, path } = await newOrganization('expired');
  await enterKeys(api, path, 'sk_test_own_expired');
  await revokeKeys(id);
  const { token } = await createKey(['payments:write'], id);
  const donate = () => post('/payment-intents', token, { amount_cents: 700 });
  assert.equal((await donate()).status, 503);
  assert.match((await api.visitor().openAs(OWNER, `/dashboard/${id}`)).text, KEYS_REJECTED);
  const refused = await donate();
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /"charges_disabled"/);

  await enterKeys(api, path, 'sk_test_own_expired');
  const replaced = { secretKey: 'sk_test_revoked', publishableKey: '', livemode: false };
  await saveRejectedKeys(api.deps, 'acct_own_expired', replaced);
  assert.equal((await donate()).status, 201);
});

test('of two keys that are saved at once, one is stored with its account', async () => {
  const { id, path } = await newOrganization('raced');
  await Promise.all([
    enterKeys(api, path, 'sk_test_own_race_a'),
    enterKeys(api, path, 'sk_test_own_race_b'),
  ]);
  const { processor_account_id } = await loadOrganization(id);
  const account = await db
    .selectFrom('processor_account')
    .select('id')
    .where('organization_id', '=', id)
    .execute();
  assert.deepEqual(account, [{ id: processor_account_id }]);
  const key = await db
    .selectFrom('stripe_key')
    .select('publishable_key')
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(`acct_${key.publishable_key.slice('pk_test_'.length)}`, processor_account_id);
});
