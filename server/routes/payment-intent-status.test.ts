import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { startSystem } from '../test-support/system.ts';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';

const system = await startSystem();
after(() => system.close());
const { key: apiKey } = await system.createKey();
let clock = Date.now();

const OTHER_ORIGIN = 'https://lantern.example';
const { server, openForm, createPaymentIntent } = openServer(system.apiBase, {
  apiKey,
  forms: { default: {} },
  origins: [ORIGIN, OTHER_ORIGIN],
  now: () => clock,
});
type CreatedIntent = PaymentIntent & { status_token: string };
const { session_token } = await openForm();
const createIntent = async (token = session_token) =>
  (await (await createPaymentIntent(token)).json()) as CreatedIntent;
const getStatus = (id: string, token: string, origin = ORIGIN) =>
  server.request(`/payment-intents/${id}`, {
    headers: { origin, authorization: `Bearer ${token}` },
  });

describe('GET /payment-intents/{id}', () => {
  test('returns the status of a donation to its page', async () => {
    const { payment_intent_id, reference, status_token } = await createIntent();
    const response = await getStatus(payment_intent_id, status_token);
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
    assert.deepEqual(await response.json(), {
      object: 'payment_intent_status',
      payment_intent_id,
      status: 'open',
      expected_at: null,
      donation_id: null,
      reference,
    });
  });

  test('accepts only the status token of this donation, on the page that made it', async () => {
    const [item, other] = [await createIntent(), await createIntent()];
    for (const [id, token, origin] of [
      [item.payment_intent_id, other.status_token, ORIGIN],
      [item.payment_intent_id, session_token, ORIGIN],
      [item.payment_intent_id, item.status_token, OTHER_ORIGIN],
      [item.payment_intent_id, '', ORIGIN],
    ] as const) {
      assert.equal((await errorOf(await getStatus(id, token, origin))).status, 401);
    }
    assert.equal((await createPaymentIntent(item.status_token)).status, 401); // A status token is valid for no other route.
  });

  test('works after the session has expired, and its token expires after a day', async () => {
    const { payment_intent_id, status_token } = await createIntent();
    const before = clock;
    clock += 25 * 3_600_000;
    assert.equal((await getStatus(payment_intent_id, status_token)).status, 401);
    clock = before;
  });

  test('is rate limited per donation, so that donations keep the credential’s rate', async () => {
    const { session_token: visitor } = await openForm(); // A new visitor, so that no proof of work is required.
    const [item, other] = [await createIntent(visitor), await createIntent(visitor)];
    const statuses = [];
    for (let index = 0; index < 13; index += 1) {
      statuses.push((await getStatus(item.payment_intent_id, item.status_token)).status);
    }
    assert.deepEqual(new Set(statuses.slice(0, 12)), new Set([200]));
    const rejected = await getStatus(item.payment_intent_id, item.status_token);
    assert.deepEqual([statuses[12], rejected.status], [429, 429]);
    assert.ok(Number(rejected.headers.get('retry-after')) > 3000);
    assert.equal((await getStatus(other.payment_intent_id, other.status_token)).status, 200);
  });

  test('is rejected for origins that may not embed', async () => {
    const { payment_intent_id, status_token } = await createIntent();
    const response = await getStatus(payment_intent_id, status_token, 'https://evil.example');
    assert.equal((await errorOf(response)).status, 403);
  });
});
