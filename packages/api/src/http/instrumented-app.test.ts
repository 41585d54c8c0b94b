import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, readError, startApi } from '../../test-support/app/start-api.ts';
import { hashToken } from '../lib/id.ts';

const { get, post, createKey, logged } = await startApi();

describe('the log', () => {
  test('has one line per request without tokens, query strings, bodies or personal data', async () => {
    const { id, token } = await createKey();
    const email = 'somebody@example.org';
    logged.length = 0;
    await post('/payment-intents', token, { amount_cents: 'much', donor_email: email });
    await get('/donations/don_secret?q=secret', token);
    const lines = await eventually(async () => (logged.length >= 2 ? logged : undefined));
    assert.equal(lines.length, 2);
    const [first, second] = lines.map((line) => JSON.parse(line) as object);
    const common = { credential_id: id, status: 400 };
    assert.partialDeepStrictEqual(first, { ...common, route: '/api/v1/payment-intents' });
    assert.partialDeepStrictEqual(second, { ...common, route: '/api/v1/donations/:id' });
    for (const secret of [token, hashToken(token).toString('hex'), email, 'secret', 'much']) {
      assert.ok(!lines.join('').includes(secret), secret);
    }
  });

  test('names the route that handled the request, not another one that matches', async () => {
    const { token } = await createKey();
    logged.length = 0;
    for (const path of ['/donations/summary', '/donations/don_1', '/donations', '/nothing'])
      await get(path, token);
    const lines = await eventually(async () => (logged.length >= 4 ? logged : undefined));
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { route: string }).route),
      ['/api/v1/donations/summary', '/api/v1/donations/:id', '/api/v1/donations', 'none'],
    );
  });

  test('contains the cause of a failed payment intent, which the response does not', async () => {
    const { token } = await createKey();
    logged.length = 0;
    const response = await post('/payment-intents', token, {
      amount_cents: 500,
      donor_email: 'somebody@example.org',
    });
    assert.match(await readError(response), /^503 unavailable The card processor/);
    assert.ok(response.headers.get('retry-after'));
    assert.match(logged.join(''), /ECONNREFUSED|connection to Stripe/);
    assert.doesNotMatch(logged.join(''), /somebody@/);
  });
});
