import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { OWNER, VOLUNTEER } from '../../test-support/app/start-oauth.ts';
import { readError } from '../../test-support/app/start-api.ts';
import { Visitor } from '../../test-support/browser/visitor.ts';
import { createOrganization } from '../users/organizations.ts';
import { setMembership } from '../users/membership.ts';
import { syncAccount } from './accounts.ts';
import {
  listDomains,
  addFormDomains,
  parseDomain,
  registerDomains,
  removeDomain,
} from './domains.ts';

const sandboxApi = await startManualEventsSandbox();
const { db, deps, stripe, post, createKey, deliverEvent } = sandboxApi;
const PATH = '/dashboard/org_harbor/payments';

/** Creates an organization without a Stripe account. */
async function newOrganization() {
  const slug = `new-${Math.random().toString(36).slice(2)}`;
  const id = await createOrganization(db, { name: 'New Hope', slug, currency: 'usd' });
  const owner = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', OWNER)
    .executeTakeFirstOrThrow();
  await setMembership(db, { organizationId: id, personId: owner.id, role: 'owner' });
  const { token } = await createKey(['payments:write'], id);
  return { id, token, path: `/dashboard/${id}/payments` };
}

describe('payment intent for an organization', () => {
  test('without a Stripe account returns 409 conflict and names the reason', async () => {
    const { token } = await newOrganization();
    const response = await post('/payment-intents', token, { amount_cents: 2000 });
    assert.match(await readError(response), /^409 conflict New Hope cannot accept donations yet: /);
  });

  test('saves its Stripe account once if several requests fetch it at the same time', async (t) => {
    const { token } = await createKey(['payments:write']);
    const requestCount = 8;
    const retrieve = deps.processor.retrieveAccount.bind(deps.processor);
    for (let round = 0; round < 10; round += 1) {
      await db
        .deleteFrom('processor_account')
        .where('organization_id', '=', 'org_harbor')
        .execute();
      let waiting = requestCount;
      const allFetched = Promise.withResolvers<void>();
      const fetches = t.mock.method(deps.processor, 'retrieveAccount', async (account: string) => {
        const state = await retrieve(account);
        if ((waiting -= 1) === 0) allFetched.resolve();
        await allFetched.promise;
        return state;
      });
      const donate = () => post('/payment-intents', token, { amount_cents: 2000 });
      const responses = await Promise.all(Array.from({ length: requestCount }, donate));
      fetches.mock.restore();
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
      const saved = db.selectFrom('processor_account').where('organization_id', '=', 'org_harbor');
      assert.equal((await saved.select('id').execute()).length, 1);
    }
  });

  test('returns 409 conflict until charges are enabled on its Stripe account', async () => {
    const { id, token } = await newOrganization();
    const account = await stripe.accounts.create({ type: 'standard' });
    await db
      .updateTable('organization')
      .set({ processor_account_id: account.id })
      .where('id', '=', id)
      .execute();
    const state = await syncAccount(deps, account.id);
    assert.equal(state?.chargesEnabled, false);
    const response = await post('/payment-intents', token, { amount_cents: 2000 });
    assert.match(await readError(response), /^409 conflict New Hope cannot accept donations yet: /);
    // The event's payload is ignored: the account is fetched again.
    await db
      .updateTable('processor_account')
      .set({ charges_enabled: true })
      .where('id', '=', account.id)
      .execute();
    const event = { id: 'evt_account', object: 'event', type: 'account.updated' };
    const stripeEvent = { ...event, account: account.id, data: { object: { id: account.id } } };
    assert.equal(await deliverEvent(stripeEvent), 'recorded');
    const row = await db
      .selectFrom('processor_account')
      .selectAll()
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.charges_enabled, false);
    assert.ok(row.requirements_due.length > 0);
  });
});

describe('dashboard page for card payments', () => {
  test("creates one Stripe account and redirects to Stripe's onboarding", async () => {
    const { id, path } = await newOrganization();
    const owner = new Visitor(sandboxApi.url);
    assert.match((await owner.openAs(OWNER, path)).text, /Connect with Stripe/);
    const redirect = await owner.post(`${path}/onboarding`, {});
    assert.equal(redirect.url.origin, new URL(sandboxApi.sandboxUrl).origin);
    const secondRedirect = await owner.open(`${path}/again`);
    assert.equal(secondRedirect.url.origin, new URL(sandboxApi.sandboxUrl).origin);
    const { data } = await stripe.accounts.list({ limit: 100 });
    const accounts = data.filter(({ metadata }) => metadata?.['organization_id'] === id);
    assert.equal(accounts.length, 1);
    const page = await owner.open(`${path}/back`);
    assert.equal(page.url.pathname, path);
    assert.match(page.text, /Not enabled/);
    assert.match(page.text, /Stripe still needs/);
  });

  test('creates no Stripe account on a GET request, which a foreign page could trigger', async () => {
    const { id, path } = await newOrganization();
    const owner = new Visitor(sandboxApi.url);
    await owner.openAs(OWNER, path);
    const page = await owner.open(`${path}/again`);
    assert.equal(page.url.pathname, path);
    assert.match(page.text, /Connect with Stripe/);
    const { data } = await stripe.accounts.list({ limit: 100 });
    assert.ok(data.every(({ metadata }) => metadata?.['organization_id'] !== id));
  });

  test('tells the owner what to do if Stripe cannot create the account', async () => {
    const { id, path } = await newOrganization();
    const correct = (contact_email: string) =>
      db.updateTable('organization').set({ contact_email }).where('id', '=', id).execute();
    const owner = new Visitor(sandboxApi.url);
    await owner.openAs(OWNER, path);
    await correct('nobody');
    const refused = await owner.post(`${path}/onboarding`, {});
    assert.match(refused.text, /Correct it under Receipts, then open the account again/);
    await correct('owner@example.org');
    // Stripe's client retries once after a connection reset.
    await sandboxApi.sandbox('/faults', { name: 'reset', count: 2, path: '/v1/accounts' });
    const failed = await owner.post(`${path}/onboarding`, {});
    assert.match(failed.text, /Try again in a minute.*not get a second account/);
    const redirect = await owner.post(`${path}/onboarding`, {});
    assert.equal(redirect.url.origin, new URL(sandboxApi.sandboxUrl).origin);
  });

  test('shows that an account can take donations', async () => {
    const owner = new Visitor(sandboxApi.url);
    const page = await owner.openAs(OWNER, PATH);
    assert.match(page.text, /acct_harbor_street/);
    assert.match(page.text, /Enabled/);
  });

  test('adds a payment method domain, rejects a local one and removes one', async () => {
    const owner = new Visitor(sandboxApi.url);
    await owner.openAs(OWNER, PATH);
    const response = await owner.post(`${PATH}/domains`, {
      domain: 'https://give.example.org/gala',
    });
    assert.match(response.text, /give\.example\.org added/);
    assert.match(response.text, /Active/);
    const { data } = await stripe.paymentMethodDomains.list(
      { limit: 100 },
      { stripeAccount: 'acct_harbor_street' },
    );
    assert.ok(data.some(({ domain_name }) => domain_name === 'give.example.org'));
    const refused = await owner.post(`${PATH}/domains`, { domain: 'localhost:4200' });
    assert.match(refused.text, /must be a public website/);
    const removed = await owner.post(`${PATH}/domains/remove`, { domain: 'give.example.org' });
    assert.match(removed.text, /No websites yet/);
  });

  test('adds the public origins of embed sessions as payment method domains', async () => {
    const { token } = await createKey(['payments:write']);
    const origins = [
      'https://gala.example.org',
      'https://*.example.org',
      'https://203.0.113.7',
      'https://x.localhost',
    ];
    assert.equal((await post('/embed-sessions', token, { origins })).status, 201);
    await registerDomains(deps, { id: 'org_harbor', account: 'acct_harbor_street' }, 'new');
    const sites = await listDomains(db, 'org_harbor');
    const wallets = sites.map(({ domain, apple_pay }) => [domain, apple_pay]);
    assert.deepEqual(wallets, [['gala.example.org', 'active']]);
    const plain = await post('/embed-sessions', token, { origins: ['http://a.example.org'] });
    assert.match(await readError(plain), /^400 invalid_request origins/);
    await removeDomain(db, 'org_harbor', 'gala.example.org');
  });

  test('adds the new origin of a form that is on many websites', async () => {
    const site = (n: number) => `https://site-${n}.example.org`;
    const origins = Array.from({ length: 30 }, (_, n) => site(n));
    await addFormDomains(db, 'org_harbor', origins);
    await addFormDomains(db, 'org_harbor', [...origins, site(30)]);
    const domainNames = (await listDomains(db, 'org_harbor')).map(({ domain }) => domain);
    assert.equal(domainNames.filter((domain) => domain.startsWith('site-')).length, 31);
    // The limit of 50 domains is not exceeded.
    await addFormDomains(
      db,
      'org_harbor',
      Array.from({ length: 60 }, (_, n) => site(n)),
    );
    assert.equal((await listDomains(db, 'org_harbor')).length, 50);
    await db.deleteFrom('payment_domain').where('organization_id', '=', 'org_harbor').execute();
  });

  test('is forbidden for members', async () => {
    const volunteer = new Visitor(sandboxApi.url);
    assert.equal((await volunteer.openAs(VOLUNTEER, PATH)).status, 403);
    assert.equal((await volunteer.post(`${PATH}/onboarding`, {})).status, 403);
  });
});

test('parseDomain accepts URLs and host names and rejects hosts that are not public', () => {
  assert.equal(parseDomain(' https://WWW.Example.org/give?x=1 '), 'www.example.org');
  assert.equal(parseDomain('example.org'), 'example.org');
  for (const invalidDomain of [
    'localhost',
    'http://127.0.0.1:4200',
    '[::1]',
    'x.localhost',
    '',
    'a b',
  ]) {
    assert.throws(() => parseDomain(invalidDomain), /domain must /, invalidDomain);
  }
});
