import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ALL_SCOPES,
  type EmbedForm,
  type EmbedSession,
  type ErrorEnvelope,
  type PaymentIntent,
} from '@connect-embed/contract';
import {
  createOwnKeysOrganization,
  enterKeys,
  ownStripe,
  planOf,
  sendOwnEvent,
} from '../../../test-support/donations/own-keys.ts';
import { OWNER } from '../../../test-support/app/start-oauth.ts';
import { eventually, startApi } from '../../../test-support/app/start-api.ts';
import { setMembership } from '../../users/membership.ts';
import { resourceEvent } from '../../webhooks/enqueue-event.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { findLivemode, secretKeyOf, StoredKeys } from './stored-keys.ts';

const api = await startApi({ sandbox: true });
const { db, deps, createKey, post, get, app, logged } = api;

const newOrganization = (name: string) => createOwnKeysOrganization(api, name);

describe('an organization with its own Stripe keys', async () => {
  const { id, path } = await newOrganization('garden');
  const SECRET = 'sk_test_own_garden';
  const { client, options } = ownStripe(api, SECRET);

  test('enters them once; they are encrypted, and never shown again', async () => {
    const { owner, page } = await enterKeys(api, path, SECRET);
    assert.match(page.text, /Stripe accepted your keys/);
    assert.match(page.text, /Test: no money moves/);
    assert.match(page.text, /…rden/);
    for (const { text } of [page, await owner.open(`${path}/keys`)]) {
      assert.ok(!text.includes('_own_garden"') && !text.includes(SECRET));
    }
    const row = await db.selectFrom('stripe_key').selectAll().executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(SECRET));
    assert.equal(
      await deps.keyEncrypter.decrypt(row.encrypted_secret_key, secretKeyOf(id)),
      SECRET,
    );
    assert.ok(!logged.join('').includes(SECRET));
  });

  test('gets a webhook endpoint at Stripe with the handled types of events', async () => {
    const { data } = await client.webhookEndpoints.list({}, options);
    assert.deepEqual(
      data.map(({ url }) => url),
      [`${api.url}/processor-events/${id}`],
    );
    assert.ok(data[0]!.enabled_events.includes('payment_intent.succeeded'));
    assert.ok(!data[0]!.enabled_events.includes('account.application.deauthorized'));
  });

  test('takes a donation without Stripe-Account, which its own endpoint reports', async () => {
    const { token } = await createKey(ALL_SCOPES, id);
    const session = (await (await post('/embed-sessions', token, {})).json()) as EmbedSession;
    const form = session.form as EmbedForm;
    assert.deepEqual(
      [form.publishable_key, form.stripe_account_id, form.livemode],
      ['pk_test_own_garden', undefined, false],
    );
    const body = { amount_cents: 4200, embed_session_id: session.id };
    const intent = (await (await post('/payment-intents', token, body)).json()) as PaymentIntent;
    assert.deepEqual(
      [intent.publishable_key, intent.stripe_account_id],
      ['pk_test_own_garden', null],
    );
    await client.paymentIntents.confirm(
      intent.payment_intent_id,
      { payment_method: 'pm_card_visa' },
      options,
    );
    const donation = await eventually(async () => {
      const { data } = (await (await get('/donations', token)).json()) as { data: object[] };
      return data[0];
    });
    assert.equal((donation as { amount_cents: number }).amount_cents, 4200);
    assert.equal(await findLivemode(db, id), false);
    assert.equal(await findLivemode(db, 'org_harbor'), undefined);
  });

  test('is reconciled with its own account', async () => {
    const failures: unknown[] = [];
    await reconcile(
      deps,
      {
        organizationId: id,
        onFailure: (_, error) => failures.push(error),
        compareOptionsFor: () => ({ from: new Date(0), repair: true }),
      },
      { onDifference: () => {}, onChecked: () => {} },
    );
    assert.deepEqual(failures, []);
  });

  test('can replace them, but not with keys of another account', async () => {
    const other = await enterKeys(api, path, 'sk_test_own_other');
    assert.equal(other.page.status, 400);
    assert.match(other.page.text, /Belongs to another Stripe account than your donations/);
    const same = await enterKeys(api, path, 'rk_test_own_garden');
    assert.match(same.page.text, /One step is left/);
    const { data } = await client.webhookEndpoints.list({}, options);
    assert.equal(data.length, 0, 'the endpoint of the replaced key is deleted');
  });

  test('cannot remove them while a donor has a recurring donation', async () => {
    const { owner } = await enterKeys(api, path, SECRET);
    const plan = await db
      .insertInto('recurring_plan')
      .values(planOf(id))
      .returning('id')
      .executeTakeFirstOrThrow();
    const page = await owner.open(`${path}/keys/remove`);
    const refused = await owner.post(`${path}/keys/remove`, {});
    assert.match(page.text, /Remove your Stripe keys\?/);
    assert.match(refused.text, /A recurring donation uses these keys\. End it first/);
    await db.deleteFrom('recurring_plan').where('id', '=', plan.id).execute();
    const removed = await owner.post(`${path}/keys/remove`, {});
    assert.match(removed.text, /Stripe keys removed/);
    const { token } = await createKey(['payments:write'], id);
    assert.equal((await post('/payment-intents', token, { amount_cents: 500 })).status, 409);
  });
});

describe('keys are rejected at their field', async () => {
  const { path } = await newOrganization('rejected');
  test('a page with errors has no secret key, wherever it was typed', async () => {
    const { page } = await enterKeys(api, path, 'pk_test_own_a', ' sk_test_own_confused');
    assert.equal(page.status, 400);
    assert.match(page.text, /This is a secret key\. Enter it in the field “Secret key”/);
    assert.doesNotMatch(page.text, /sk_test_own_confused/);
    const other = await enterKeys(api, path, 'sk_test_own_a', 'pk_live_own_a');
    assert.ok(other.page.document.querySelector('input[value="pk_live_own_a"]'));
    assert.doesNotMatch(other.page.text, /sk_test_own_a/);
  });

  test('a signing secret without keys', async () => {
    const owner = api.visitor();
    const page = await owner.openAs(OWNER, `${path}/keys/webhook`);
    const webhook_secret = 'whsec_without_keys';
    const rejected = await owner.send(page, `${path}/keys/webhook`, { webhook_secret });
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, /No signing secret is needed: there are no Stripe keys/);
  });

  for (const [secret, publishable, problem] of [
    ['sk_test_wrong', 'pk_test_own_a', 'Was not accepted by Stripe'],
    ['sk_test_own_a', 'pk_test_wrong', 'Was not accepted by Stripe'],
    ['sk_test_own_a', 'pk_test_own_b', 'Belongs to another Stripe account than the secret key'],
    ['sk_test_own_a', 'pk_live_own_a', 'Is a live key, but the secret key is a test key'],
    ['pk_test_own_a', 'pk_test_own_a', 'Must start with sk_live_'],
    ['sk_test_own_a', 'sk_test_own_a', 'This is a secret key'],
    ['sk_test_own_a', 'own_a', 'Must start with pk_live_'],
    ['', '', 'Enter the secret key'],
    ['sk_test_own_a é\0', 'pk_test_own_a', 'Contains invalid characters'],
  ] as const) {
    test(`${secret} with ${publishable}: ${problem}`, async () => {
      const { page } = await enterKeys(api, path, secret, publishable);
      assert.equal(page.status, 400);
      assert.ok(page.text.includes(problem), page.text);
    });
  }
});

test('a live key that may not create endpoints: after the signing secret come the other steps to live', async () => {
  const { path } = await newOrganization('limited_live');
  const key = 'rk_live_own_fresh_without_webhook_endpoints';
  const { owner, page } = await enterKeys(api, path, key, 'pk_live_own_fresh');
  const webhook_secret = `whsec_${'a'.repeat(32)}`;
  const saved = await owner.send(page, `${path}/keys/webhook`, { webhook_secret });
  assert.match(saved.text, /Make one real donation/);
});

test('a restricted key that may not create endpoints: the owner enters the signing secret', async () => {
  const { id, path } = await newOrganization('restricted');
  const { owner, page } = await enterKeys(api, path, 'rk_test_own_limited');
  assert.ok(page.text.includes(`${api.url}/processor-events/${id}`));
  assert.match(page.text, /payment_intent\.succeeded/);
  assert.ok(logged.some((line) => line.includes('Stripe refused to create an endpoint')));
  const wrong = await owner.send(page, `${path}/keys/webhook`, { webhook_secret: 'secret' });
  assert.match(wrong.text, /Must start with whsec_/);
  const { client, options } = ownStripe(api, 'sk_test_own_limited');
  const { secret } = await client.webhookEndpoints.create(
    { url: `${api.url}/processor-events/${id}`, enabled_events: ['*'] },
    options,
  );
  const saved = await owner.send(wrong, `${path}/keys/webhook`, { webhook_secret: secret! });
  assert.match(saved.text, /Stripe notifies Connect of your payments/);

  // Another key of the same account does not lose the secret that the owner entered.
  const replaced = await enterKeys(api, path, 'rk_test_own_limited');
  assert.match(replaced.page.text, /You can take card payments/);

  await test('and the events are verified with this secret only', async () => {
    const payload = JSON.stringify({
      id: 'evt_1',
      type: 'account.updated',
      created: 1,
      livemode: false,
      data: { object: {} },
    });
    const send = async (signingSecret: string, organization = id) => {
      const header = client.webhooks.generateTestHeaderString({ payload, secret: signingSecret });
      return await app.request(`/processor-events/${organization}`, {
        method: 'POST',
        headers: { 'stripe-signature': header },
        body: payload,
      });
    };
    assert.deepEqual(await (await send(secret!)).json(), { received: true, outcome: 'recorded' });
    assert.equal((await send('whsec_sandbox')).status, 400);
    assert.equal((await send(secret!, 'org_harbor')).status, 404);
    assert.equal((await send(secret!, '%00')).status, 404);
  });
});

test('the permission that a restricted key lacks is named at its field, and logged', async () => {
  const { path } = await newOrganization('denied');
  for (const [resource, name] of [
    ['payouts', 'Payouts (Read)'],
    ['subscriptions', 'Subscriptions (Write)'],
  ] as const) {
    const key = `rk_test_own_denied_without_${resource}`;
    const { page } = await enterKeys(api, path, key);
    assert.equal(page.status, 400);
    assert.ok(page.text.includes(`Lacks these permissions: ${name}. Add them`), page.text);
    assert.ok(logged.some((line) => line.includes('not accepted') && line.includes(name)));
    assert.ok(!logged.join('').includes(key));
  }
});

test('only owners enter keys', async () => {
  const { id, path, personId } = await newOrganization('admins');
  await setMembership(db, { organizationId: id, personId, role: 'admin' });
  const admin = api.visitor();
  assert.equal((await admin.openAs(OWNER, `${path}/keys`)).status, 403);
  assert.match((await admin.open(path)).text, /Only an owner can enter them/);
});

test('keys that were encrypted with a lost API_SECRET are not replaced by those of the platform', async () => {
  const { id, path } = await newOrganization('lost');
  await enterKeys(api, path, 'sk_test_own_lost');
  const stored = new StoredKeys(db, { ...deps.keyEncrypter, decrypt: async () => undefined });
  await assert.rejects(stored.find('acct_own_lost'), /API_SECRET was replaced/);

  // They block no webhook event, and the lost signing secret is not shown as set up.
  const lost = { encrypted_secret_key: 'lost', encrypted_webhook_secret: 'lost' };
  await db.updateTable('stripe_key').set(lost).where('organization_id', '=', id).execute();
  deps.storedKeys.forget('acct_own_lost');
  await db
    .transaction()
    .execute((tx) => api.webhooks.enqueue(tx, resourceEvent('donation.created', id, 'don_1')));
  const page = await api.visitor().openAs(OWNER, path);
  assert.match(page.text, /Not set up/);
});

test('keys that were copied from another organization charge nobody', async () => {
  const [tree, river] = [await newOrganization('tree'), await newOrganization('river')];
  const rows = new Map<
    string,
    { encrypted_secret_key: string; encrypted_webhook_secret: string }
  >();
  for (const [name, { id, path }] of Object.entries({ tree, river })) {
    await enterKeys(api, path, `sk_test_own_${name}`);
    const row = await db
      .selectFrom('stripe_key')
      .select(['encrypted_secret_key', 'encrypted_webhook_secret'])
      .where('organization_id', '=', id)
      .executeTakeFirstOrThrow();
    rows.set(id, { ...row, encrypted_webhook_secret: row.encrypted_webhook_secret! });
  }
  const own = rows.get(tree.id)!;
  const copied = rows.get(river.id)!;
  const { token } = await createKey(ALL_SCOPES, tree.id);
  const body = { amount_cents: 2500, donor_name: 'Ada', donor_email: 'ada@example.org' };
  const store = async (row: typeof own) => {
    await db.updateTable('stripe_key').set(row).where('organization_id', '=', tree.id).execute();
    deps.storedKeys.forget('acct_own_tree');
  };

  for (const row of [copied, { ...own, encrypted_secret_key: own.encrypted_webhook_secret }]) {
    await store(row);
    const response = await post('/payment-intents', token, body);
    assert.equal(response.status, 503);
    const { error } = (await response.json()) as ErrorEnvelope;
    assert.match(error.message, /Stripe keys cannot be read.* another organization/);
  }
  for (const name of ['tree', 'river']) {
    const { client, options } = ownStripe(api, `sk_test_own_${name}`);
    assert.deepEqual((await client.paymentIntents.list({}, options)).data, [], name);
  }
  // An event that the other organization signs with its own secret is not accepted either.
  await store(copied);
  const event = { ...{ id: 'evt_copied', type: 'payout.paid' }, data: { object: { id: 'po_1' } } };
  assert.equal((await sendOwnEvent(api, tree.id, event, river.id)).status, 404);

  await store(own);
  assert.equal((await post('/payment-intents', token, body)).status, 201);
});
