import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { OWNER } from '@connect-embed/api/test-support/app/start-oauth';
import { eventually, SERVER_KEY, startApi } from '@connect-embed/api/test-support/app/start-api';
import { textOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';
import {
  createOwnKeysOrganization,
  enterKeys,
  ownStripe,
  planOf,
} from '@connect-embed/api/test-support/donations/own-keys';
import { createForm } from '@connect-embed/api/resources/forms/edit-form';
import { publishForm } from '@connect-embed/api/resources/forms/publish-form';
import { setMembership } from '@connect-embed/api/users/membership';

const api = await startApi({
  sandbox: true,
  env: { SERVER_BASE_URL: 'https://give.example.org', SERVER_API_KEY: SERVER_KEY },
});
const { db } = api;
const { id, path: payments, personId } = await createOwnKeysOrganization(api, 'garden');
const HOME = `/dashboard/${id}`;
const STRIP = '[aria-label="Test mode"]';
const owner = api.visitor();
const open = (path: string) => owner.openAs(OWNER, HOME + path);
const useKeys = async (mode: 'test' | 'live') => {
  const { page } = await enterKeys(api, payments, `sk_${mode}_own_garden`);
  assert.match(page.text, /Stripe accepted your keys/);
  return page.url.pathname;
};

async function donate(mode: 'test' | 'live') {
  const { token } = await api.createKey(['payments:write'], id);
  const response = await api.post('/payment-intents', token, { amount_cents: 4200 });
  const { payment_intent_id } = (await response.json()) as PaymentIntent;
  const { client, options } = ownStripe(api, `sk_${mode}_own_garden`);
  const card = { payment_method: 'pm_card_visa' };
  await client.paymentIntents.confirm(payment_intent_id, card, options);
  await eventually(() =>
    db
      .selectFrom('donation')
      .select('id')
      .where('processor_payment_intent_id', '=', payment_intent_id)
      .executeTakeFirst(),
  );
}

describe('the strip of the test mode', () => {
  test('is absent without keys', async () => {
    assert.equal(textOf((await open('')).document, STRIP), undefined);
    assert.match((await open('/go-live')).text, /You have no Stripe keys yet/);
  });

  test('is on every page with test keys, with the way out for owners and admins', async () => {
    await useKeys('test');
    for (const page of [await open('/donations'), await owner.open('/dashboard/account')]) {
      assert.match(textOf(page.document, STRIP)!, /No real money moves\. Take real donations/);
      assert.ok(page.document.querySelector(`${STRIP} a[href="${HOME}/go-live"]`));
    }
    await setMembership(db, { organizationId: id, personId, role: 'member' });
    assert.equal(textOf((await open('')).document, STRIP), 'Test mode No real money moves.');
    assert.equal((await open('/go-live')).status, 403);
    await setMembership(db, { organizationId: id, personId, role: 'owner' });
  });
});

describe('the page “Take real donations”', () => {
  const steps = async () => textsOf((await open('/go-live')).document, '.checklist .name');
  const NAMES = [
    'Enter your live keys',
    'Let Stripe tell us about payments',
    'Allow your website',
    'Make one real donation',
  ];

  test('counts what stays and what is left behind', async () => {
    await donate('test');
    await db.insertInto('recurring_plan').values(planOf(id)).execute();
    const { text } = await open('/go-live');
    assert.match(text, /0 of 4 done/);
    assert.match(text, /0 published forms[^]*0 campaigns and 0 funds[^]*1 person in your team/);
    assert.match(text, /1 test donation[^]*it stays\s+marked as a test/);
    assert.match(text, /1 recurring test donation:\s+canceled when you enter live keys/);
    assert.deepEqual(
      await steps(),
      NAMES.map((name) => `${name}: not done`),
    );
  });

  test('leads an admin to an owner for the keys', async () => {
    await setMembership(db, { organizationId: id, personId, role: 'admin' });
    const page = await open('/go-live');
    assert.match(page.text, /Only an owner can enter them/);
    assert.equal(page.document.querySelector('a[href$="/payments/keys"]'), null);
    await setMembership(db, { organizationId: id, personId, role: 'owner' });
  });

  test('with live keys, leads to one real donation, and then to its refund', async () => {
    await api.addServerKey(id);
    const formId = await createForm(db, id, { name: 'Seeds', slug: 'seeds', terms: {} });
    await publishForm(db, { organizationId: id, id: formId }, { revision: 1, personId });
    await db
      .insertInto('allowed_site')
      .values({ id: 'site_1', organization_id: id, origin: 'https://seeds.example' })
      .execute();
    assert.equal(await useKeys('live'), `${HOME}/go-live`);
    assert.equal(await useKeys('live'), payments, 'new live keys are no step');
    const before = await open('/go-live');
    assert.equal(textOf(before.document, STRIP), undefined);
    assert.match(before.text, /You went live on[^]*3 of 4 done/);
    const form = 'a[href="https://give.example.org/give/seeds?amount=1"]';
    assert.ok(before.document.querySelector(form));
    await donate('live');
    const after = await open('/go-live');
    assert.match(after.text, /4 of 4 done[^]*\$42\.00 arrived/);
    assert.equal(textOf(after.document, 'a[href*="/donations/don_"]'), 'See or refund it');
    assert.match(after.text, /1 recurring test donation:\s+canceled\. Nobody/);
    assert.match(after.text, /Back to test keys/);
  });

  test('says what becomes of real donations while the keys are test keys again', async () => {
    await useKeys('test');
    const { text } = await open('/go-live');
    assert.match(text, /You have returned to test keys[^]*Until your live keys are back/);
    assert.match((await open('/payments')).text, /Live keys replace the test keys/);
  });

  test('says that removed keys take no donations', async () => {
    await owner.post(`${payments}/keys/remove`, {});
    assert.match((await open('/go-live')).text, /You have removed your Stripe keys/);
  });
});
