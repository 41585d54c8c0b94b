import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PaymentIntent, PaymentIntentStatus } from '@connect-embed/contract';
import { startApi } from '../../test-support/app/start-api.ts';

const { get, post, createKey } = await startApi({ sandbox: true });
const key = await createKey(['payments:write']);

async function intentOf(token: string) {
  const response = await post('/payment-intents', token, { amount_cents: 2500 });
  return PaymentIntent.parse(await response.json()).payment_intent_id;
}

async function openSession() {
  const response = await post('/embed-sessions', key.token, {});
  return ((await response.json()) as { session_token: string }).session_token;
}

const getStatus = (id: string, token: string) => get(`/payment-intents/${id}`, token);

describe('GET /payment-intents/{id}', () => {
  test('returns the status to the credential that created it, and no data of the donor', async () => {
    const createResponse = await post('/payment-intents', key.token, { amount_cents: 2500 });
    const { payment_intent_id: id, reference } = PaymentIntent.parse(await createResponse.json());
    const response = await getStatus(id, key.token);
    assert.deepEqual(PaymentIntentStatus.strict().parse(await response.json()), {
      object: 'payment_intent_status',
      payment_intent_id: id,
      status: 'open',
      expected_at: null,
      donation_id: null,
      reference,
    });
  });

  test('is visible to its embed session and to the key of the session, not to other sessions', async () => {
    const [session, other] = [await openSession(), await openSession()];
    const [id, keys] = [await intentOf(session), await intentOf(key.token)];
    const statuses = await Promise.all(
      [
        getStatus(id, session),
        getStatus(id, key.token),
        getStatus(id, other),
        getStatus(keys, session),
      ].map(async (response) => (await response).status),
    );
    assert.deepEqual(statuses, [200, 200, 404, 404]);
  });

  test('responds 404 to another key, of the same or another organization', async () => {
    const id = await intentOf(key.token);
    const [ownKey, foreignKey] = [
      await createKey(['payments:write']),
      await createKey(['payments:write'], 'org_lantern'),
    ];
    assert.equal((await getStatus(id, ownKey.token)).status, 404);
    assert.equal((await getStatus(id, foreignKey.token)).status, 404);
    assert.equal((await getStatus("none'--", key.token)).status, 404);
  });
});
