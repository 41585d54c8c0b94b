import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { eventually, readError, startApi, stripeAt } from '../../test-support/app/start-api.ts';

const { db, post, createKey, sandboxUrl } = await startApi({ sandbox: true });
const stripe = stripeAt(sandboxUrl);

const withKey = (key: string) => ({ 'idempotency-key': key });
const DONATION = { amount_cents: 2500 };

const intentsOf = async (sourceId: string) => {
  const { data } = await stripe.paymentIntents.list(
    { limit: 100 },
    { stripeAccount: 'acct_harbor_street' },
  );
  return data.filter(({ metadata }) => metadata['source_id'] === sourceId);
};

/** Delays the sandbox's next response about a payment intent. */
const delaySandbox = (ms: number) =>
  fetch(`${sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'slow', ms, count: 1, path: '/v1/payment_intents' }),
  });

/** Sets a key to its state after a crash: locked, without a stored response. */
const simulateCrash = (key: string, lockedUntil: Date) =>
  db
    .updateTable('idempotency_key')
    .set({ status: null, encrypted_body: null, locked_until: lockedUntil })
    .where('key', '=', key)
    .execute();

describe('Idempotency-Key', () => {
  test('replays the same bytes for a repeated request, without running it again', async () => {
    const { id, token } = await createKey();
    const key = randomUUID();
    const first = await post('/payment-intents', token, DONATION, withKey(key));
    const repeated = await post('/payment-intents', token, DONATION, withKey(key));
    assert.equal(first.status, 201);
    assert.equal(repeated.status, 201);
    assert.equal(await repeated.text(), await first.text());
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.equal(repeated.headers.get('content-type'), first.headers.get('content-type'));
    assert.notEqual(repeated.headers.get('request-id'), first.headers.get('request-id'));
    assert.equal(repeated.headers.get('cache-control'), 'no-store');
    assert.equal((await intentsOf(id)).length, 1);
  });

  test('runs one of fifty simultaneous requests', async () => {
    const { id, token } = await createKey();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => post('/payment-intents', token, DONATION, withKey(key))),
    );
    const bodies = new Set<string>();
    for (const response of responses) {
      if (response.status === 201) bodies.add(await response.text());
      else assert.match(await readError(response), /^409 conflict Idempotency-Key .*in progress/);
    }
    assert.equal(bodies.size, 1);
    assert.equal((await intentsOf(id)).length, 1);
  });

  test('is rejected with another body or path', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    await post('/payment-intents', token, DONATION, withKey(key));
    for (const response of [
      await post('/payment-intents', token, { amount_cents: 2501 }, withKey(key)),
      await post('/embed-sessions', token, DONATION, withKey(key)),
    ]) {
      assert.match(await readError(response), /^409 conflict Idempotency-Key /);
    }
  });

  test('compares the content of a body, not its text', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const first = await post(
      '/payment-intents',
      token,
      '{"amount_cents":2500,"donor_name":"Ada","metadata":{"a":"1","b":"2"}}',
      withKey(key),
    );
    const repeated = await post(
      '/payment-intents',
      token,
      '{ "metadata": { "b": "2", "a": "1" }, "donor_name": "Ada", "amount_cents": 2500 }',
      withKey(key),
    );
    assert.equal(first.status, 201);
    assert.equal(await repeated.text(), await first.text());
  });

  test('compares a metadata key that is named embed_session_id', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const donate = (embed_session_id: string) =>
      post(
        '/payment-intents',
        token,
        { ...DONATION, metadata: { embed_session_id } },
        withKey(key),
      );
    assert.equal((await donate('one')).status, 201);
    assert.match(
      await readError(await donate('two')),
      /^409 conflict Idempotency-Key was already used/,
    );
  });

  test('rejects a deeply nested body without an internal error', async () => {
    const { token } = await createKey();
    const nested = `{"metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const response = await post('/payment-intents', token, nested, withKey(randomUUID()));
    assert.match(await readError(response), /^400 invalid_request /);
  });

  test('is separate for each credential', async () => {
    const [firstKey, secondKey] = [await createKey(), await createKey()];
    const key = randomUUID();
    const ids = new Set<string>();
    for (const { token } of [firstKey, secondKey]) {
      const response = await post('/payment-intents', token, DONATION, withKey(key));
      ids.add(((await response.json()) as PaymentIntent).payment_intent_id);
    }
    assert.equal(ids.size, 2);
  });

  test('can be used again after a 4xx response, which changed nothing', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const rejected = await post('/payment-intents', token, { amount_cents: 1 }, withKey(key));
    assert.equal(rejected.status, 400);
    assert.equal((await post('/payment-intents', token, DONATION, withKey(key))).status, 201);
  });

  test('is unlocked when the lock of a crashed process expires, and creates no second payment intent', async () => {
    const { id, token } = await createKey();
    const key = randomUUID();
    const first = await post('/payment-intents', token, DONATION, withKey(key));
    const from = performance.now();
    await simulateCrash(key, new Date(Date.now() + 60_000));
    const earlyRetry = await post('/payment-intents', token, DONATION, withKey(key));
    const retryAfter = Number(earlyRetry.headers.get('retry-after'));
    const remainingSeconds = 60 - (performance.now() - from) / 1000;
    assert.ok(
      retryAfter >= Math.floor(remainingSeconds) && retryAfter <= 60,
      `${retryAfter} s, and ${remainingSeconds} s are left`,
    );
    assert.match(await readError(earlyRetry), /^409 conflict /);
    await simulateCrash(key, new Date(Date.now() - 1));
    const otherAmount = await post('/payment-intents', token, { amount_cents: 9900 }, withKey(key));
    assert.equal(otherAmount.status, 409);
    const lateRetry = await post('/payment-intents', token, DONATION, withKey(key));
    assert.equal(await lateRetry.text(), await first.text());
    assert.equal((await intentsOf(id)).length, 1);
  });

  test('stays locked as long as the first request runs', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const row = db.selectFrom('idempotency_key').select('locked_until').where('key', '=', key);
    const lockOf = async () => (await row.executeTakeFirst())?.locked_until.getTime();
    await delaySandbox(4000);
    const first = post('/payment-intents', token, DONATION, withKey(key));
    const initialLock = await eventually(lockOf);
    const renewed = await eventually(async () => {
      const renewedLock = await lockOf();
      return renewedLock !== undefined && renewedLock > initialLock ? renewedLock : undefined;
    });
    assert.ok(renewed - initialLock >= 2000);
    assert.equal((await first).status, 201);
  });

  test('expires after 24 hours', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const row = db.selectFrom('idempotency_key').select('expires_at').where('key', '=', key);
    await post('/embed-sessions', token, {}, withKey(key));
    const { expires_at } = await row.executeTakeFirstOrThrow();
    assert.ok(Math.abs(expires_at.getTime() - Date.now() - 86_400_000) < 10_000);
    await db
      .updateTable('idempotency_key')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('key', '=', key)
      .execute();
    const response = await post('/embed-sessions', token, { amount_locked: false }, withKey(key));
    assert.equal(response.status, 201);
  });

  test('stores no readable token in the database', async () => {
    const { token } = await createKey();
    const key = randomUUID();
    const first = await post(
      '/component-sessions',
      token,
      { components: ['donors'] },
      withKey(key),
    );
    const repeated = await post(
      '/component-sessions',
      token,
      { components: ['donors'] },
      withKey(key),
    );
    const body = await first.text();
    assert.equal(await repeated.text(), body);
    const rows = await db.selectFrom('idempotency_key').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes((JSON.parse(body) as { token: string }).token));
  });

  for (const [description, key] of [
    ['is too long', 'a'.repeat(256)],
    ['contains a space', 'a b'],
    ['is empty', ''],
    ['contains other characters than ASCII', 'clé'],
  ] as const) {
    test(`is rejected when it ${description}`, async () => {
      const { token } = await createKey();
      const response = await post('/embed-sessions', token, {}, withKey(key));
      assert.match(await readError(response), /^400 invalid_request Idempotency-Key /);
    });
  }
});
