import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import {
  WEBHOOK_SECRET,
  createClient,
  startReceiver,
  startTestSandbox,
  waitFor,
} from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const platform = createClient(url, '');
const donation = { amount: 5000, currency: 'usd' };
const urls = {
  return_url: 'http://localhost:1/back?a=1',
  refresh_url: 'http://localhost:1/again',
  type: 'account_onboarding',
} as const;

const createAccount = () =>
  platform.accounts.create({
    email: 'ada@example.org',
    business_profile: { name: 'Lantern', url: 'https://lantern.example' },
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { organization_id: 'org_lantern' },
  });

const submitOnboarding = (link: string, end: string) =>
  fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ end }),
  });

describe('a connected account', () => {
  test('cannot take payments before its onboarding is complete', async () => {
    const account = await createAccount();
    assert.equal(account.charges_enabled, false);
    assert.ok(account.requirements?.currently_due?.length);
    const accountClient = createClient(url, account.id);
    await assert.rejects(accountClient.paymentIntents.create(donation), {
      statusCode: 400,
      message: /cannot currently make charges/,
    });
    const { url: link } = await platform.accountLinks.create({ account: account.id, ...urls });
    assert.match(await (await fetch(link)).text(), /Lantern/);
    const response = await submitOnboarding(link, 'complete');
    assert.deepEqual([response.status, response.headers.get('location')], [303, urls.return_url]);
    const ready = await platform.accounts.retrieve(account.id);
    assert.deepEqual(
      [ready.charges_enabled, ready.payouts_enabled, ready.capabilities?.card_payments],
      [true, true, 'active'],
    );
    assert.deepEqual(ready.metadata, { organization_id: 'org_lantern' });
    await accountClient.paymentIntents.create(donation);
    const [event] = (await accountClient.events.list({ type: 'account.updated' })).data;
    assert.equal(event?.account, account.id);
    assert.equal((event?.data.object as Stripe.Account).charges_enabled, true);
    const secondVisit = await fetch(link, { redirect: 'manual' });
    assert.equal(secondVisit.headers.get('location'), urls.refresh_url);
  });

  for (const [outcome, charges, payouts] of [
    ['no_payouts', true, false],
    ['review', false, false],
    ['restrict', false, false],
  ] as const) {
    test(`may have another onboarding outcome: ${outcome}`, async () => {
      const { id } = await createAccount();
      const link = await platform.accountLinks.create({ account: id, ...urls });
      await submitOnboarding(link.url, outcome);
      const account = await platform.accounts.retrieve(id);
      assert.deepEqual([account.charges_enabled, account.payouts_enabled], [charges, payouts]);
    });
  }

  test('cannot be completed by a form of another site', async () => {
    const { id } = await createAccount();
    const { url: link } = await platform.accountLinks.create({ account: id, ...urls });
    const response = await fetch(link, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ end: 'complete' }),
    });
    assert.equal(response.status, 403);
  });

  test('that was not created in the sandbox is complete, and can be changed', async () => {
    const account = await platform.accounts.retrieve('acct_seeded');
    assert.equal(account.charges_enabled, true);
    const link = await platform.accountLinks.create({ account: 'acct_seeded', ...urls });
    await submitOnboarding(link.url, 'restrict');
    const changed = await platform.accounts.retrieve('acct_seeded');
    assert.equal(changed.charges_enabled, false);
    assert.equal(
      (await createClient(url, 'acct_seeded').accounts.retrieveCurrent()).id,
      'acct_seeded',
    );
  });
});

test('a domain is registered for wallets once', async () => {
  const accountClient = createClient(url, 'acct_domains');
  const first = await accountClient.paymentMethodDomains.create({
    domain_name: 'give.example.org',
  });
  const repeated = await accountClient.paymentMethodDomains.create({
    domain_name: 'give.example.org',
  });
  assert.equal(first.id, repeated.id);
  assert.equal(first.apple_pay.status, 'active');
  const { data } = await accountClient.paymentMethodDomains.list({
    domain_name: 'give.example.org',
  });
  assert.equal(data.length, 1);
  await assert.rejects(accountClient.paymentMethodDomains.create({ domain_name: 'https://x' }), {
    param: 'domain_name',
  });
  assert.equal(
    (await accountClient.paymentMethodDomains.validate(first.id)).google_pay.status,
    'active',
  );
});

test('an endpoint created through the API receives its event types, signed with its own secret', async () => {
  const inbox = await startReceiver();
  const endpoint = await platform.webhookEndpoints.create({
    url: inbox.url,
    enabled_events: ['payment_intent.created'],
    connect: true,
  });
  const accountClient = createClient(url, 'acct_hooks');
  await accountClient.paymentIntents.create({
    ...donation,
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  const delivery = await waitFor(() => inbox.received[0]);
  const secret = endpoint.secret ?? '';
  const event = platform.webhooks.constructEvent(delivery.body, delivery.signature, secret);
  assert.equal(event.type, 'payment_intent.created');
  assert.notEqual(secret, WEBHOOK_SECRET);
  const endpoints = await platform.webhookEndpoints.list();
  assert.deepEqual([endpoints.data[0]?.id, endpoints.data[0]?.secret], [endpoint.id, undefined]);
  await platform.webhookEndpoints.update(endpoint.id, { disabled: true });
  await platform.webhookEndpoints.del(endpoint.id);
  assert.deepEqual((await platform.webhookEndpoints.list()).data, []);
  assert.equal(inbox.received.length, 1);
});
