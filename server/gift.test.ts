import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { PageSession, PaymentIntent } from '@connect-embed/contract';
import { errorOf, openServer } from './test-support/page.ts';
import { openHouse } from './test-support/house.ts';

const house = await openHouse();
after(() => house.close());
const { key: apiKey } = await house.createKey();
beforeEach(() => void (house.calls.length = 0));

const forms = {
  default: {},
  gala: { preset_amounts_cents: [5000, 10_000], amount_locked: true, fund_id: 'fund_meals' },
  winter: { campaign_id: 'camp_winter' },
};
const open = (config = {}) => openServer(house.apiBase, { apiKey, forms, ...config });
const intentOf = async (answer: Response) => {
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()) as PaymentIntent;
};

describe('with the real API', () => {
  test('1,000 page views of a form cost two calls', async () => {
    const { openForm } = open();
    const sessions = await Promise.all(Array.from({ length: 1000 }, () => openForm('gala')));
    assert.deepEqual(house.calls, [
      'POST /api/v1/embed-sessions',
      'GET /api/v1/embed-sessions/current',
    ]);
    assert.equal(new Set(sessions.map((session) => session.session_token)).size, 1000);
    assert.equal(sessions[0]?.form.terms.fund_id, 'fund_meals');
    assert.equal(typeof sessions[0]?.form.fund_name, 'string');
  });

  test('a gift opens an intent on the organization’s own account', async () => {
    const { openForm, give } = open();
    const { session_token, form } = await openForm('gala');
    const intent = await intentOf(await give(session_token, { amount_cents: 10_000 }));
    assert.match(intent.client_secret, /_secret_/);
    assert.equal(intent.stripe_account_id, form.stripe_account_id);
    assert.equal((await give(session_token, { amount_cents: 9999 })).status, 400);
  });

  test('one press is one intent, also through another process and a renewed session', async () => {
    const [one, other] = [open(), open()];
    const [first, second] = [await one.openForm(), await other.openForm()];
    assert.notEqual(first.id, second.id);
    const gift = { amount_cents: 2500, donor_name: 'Ada' };
    const intent = await intentOf(await one.give(first.session_token, gift, 'one-press'));
    const again = await intentOf(await other.give(second.session_token, gift, 'one-press'));
    assert.equal(again.payment_intent_id, intent.payment_intent_id);
    const another = await other.give(second.session_token, { amount_cents: 2600 }, 'one-press');
    assert.deepEqual((await errorOf(another)).type, 'conflict');
  });

  test('a fund that the form does not offer is refused by its field', async () => {
    const { openForm, give } = open();
    for (const [form, fund_id] of [
      ['default', 'fund_x'],
      ['winter', 'fund_meals'], // A fund of the organization; the form fixes only the campaign.
    ] as const) {
      const { session_token } = await openForm(form);
      const error = await errorOf(await give(session_token, { amount_cents: 500, fund_id }));
      assert.equal(error.status, 400);
      assert.match(error.message, /^fund_id: /);
    }
  });

  test('a table reads with the session that it got, and only what it got', async () => {
    const page = open({ authorize: () => true });
    const answer = await page.post('/component-sessions', { components: ['donations'] });
    const { token, api_base } = (await answer.json()) as PageSession;
    const read = (path: string) =>
      fetch(api_base + path, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await read('/donations?limit=1')).status, 200);
    assert.equal((await read('/donors')).status, 403);
  });

  test('a credential that is revoked is no riddle', async () => {
    const { id, key } = await house.createKey('payments:write');
    let clock = Date.now();
    const page = open({ apiKey: key, now: () => clock });
    const { session_token } = await page.openForm();
    assert.equal((await page.server.request('/readyz')).status, 200);
    await house.revokeKey(id);
    const error = await errorOf(await page.give(session_token));
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    clock += 2000; // Readiness is asked for at most once a second.
    assert.equal((await page.server.request('/readyz')).status, 503);
  });
});
