import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { PageSession, PaymentIntent } from '@connect-embed/contract';
import { errorOf, openServer } from './test-support/embedding-page.ts';
import { startSystem } from './test-support/system.ts';

const system = await startSystem();
after(() => system.close());
const { key: apiKey } = await system.createKey();
beforeEach(() => void (system.calls.length = 0));

const forms = {
  default: {},
  gala: { preset_amounts_cents: [5000, 10_000], amount_locked: true, fund_id: 'fund_meals' },
  winter: { campaign_id: 'camp_winter' },
};
const openTestServer = (config = {}) => openServer(system.apiBase, { apiKey, forms, ...config });
const intentOf = async (response: Response) => {
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as PaymentIntent;
};

describe('with the real API', () => {
  test('1,000 page views of a form cost one API request', async () => {
    const { openForm } = openTestServer();
    const sessions = await Promise.all(Array.from({ length: 1000 }, () => openForm('gala')));
    assert.deepEqual(system.calls, ['POST /api/v1/embed-sessions']);
    assert.equal(new Set(sessions.map((session) => session.session_token)).size, 1000);
    assert.equal(sessions[0]?.form.terms.fund_id, 'fund_meals');
    assert.equal(typeof sessions[0]?.form.fund_name, 'string');
  });

  test('a donation creates a payment intent on the organization’s own account', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token, form } = await openForm('gala');
    const intent = await intentOf(
      await createPaymentIntent(session_token, { amount_cents: 10_000 }),
    );
    assert.match(intent.client_secret, /_secret_/);
    assert.equal(intent.stripe_account_id, form.stripe_account_id);
    assert.equal((await createPaymentIntent(session_token, { amount_cents: 9999 })).status, 400);
  });

  test('one idempotency key creates one intent, also through another process and a renewed session', async () => {
    const [item, other] = [openTestServer(), openTestServer()];
    const [first, second] = [await item.openForm(), await other.openForm()];
    assert.notEqual(first.id, second.id);
    const donation = { amount_cents: 2500, donor_name: 'Ada' };
    const intent = await intentOf(
      await item.createPaymentIntent(first.session_token, donation, 'one-click'),
    );
    const repeated = await intentOf(
      await other.createPaymentIntent(second.session_token, donation, 'one-click'),
    );
    assert.equal(repeated.payment_intent_id, intent.payment_intent_id);
    const conflicting = await other.createPaymentIntent(
      second.session_token,
      { amount_cents: 2600 },
      'one-click',
    );
    assert.deepEqual((await errorOf(conflicting)).type, 'conflict');
  });

  test('a fund that the form does not offer is rejected, and the error names the field', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    for (const [form, fund_id] of [
      ['default', 'fund_x'],
      ['winter', 'fund_meals'], // A fund of the organization, but this form fixes only the campaign.
    ] as const) {
      const { session_token } = await openForm(form);
      const error = await errorOf(
        await createPaymentIntent(session_token, { amount_cents: 500, fund_id }),
      );
      assert.equal(error.status, 400);
      assert.match(error.message, /^fund_id /);
    }
  });

  test('a table reads with its component session, and only what the session allows', async () => {
    const page = openTestServer({ authorize: () => true });
    const response = await page.post('/component-sessions', { components: ['donations'] });
    const { token, api_base } = (await response.json()) as PageSession;
    const read = (path: string) =>
      fetch(api_base + path, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await read('/donations?limit=1')).status, 200);
    assert.equal((await read('/donors')).status, 403);
  });

  test('a revoked credential returns 503, and the server is no longer ready', async () => {
    const { id, key } = await system.createKey('payments:write');
    let clock = Date.now();
    const page = openTestServer({ apiKey: key, now: () => clock });
    const { session_token } = await page.openForm();
    assert.equal((await page.server.request('/readyz')).status, 200);
    await system.revokeKey(id);
    const error = await errorOf(await page.createPaymentIntent(session_token));
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    clock += 2000; // The API is checked for readiness at most once a second.
    assert.equal((await page.server.request('/readyz')).status, 503);
  });
});
