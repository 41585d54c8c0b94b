import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { ALL_SCOPES } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { startServerProcess } from '../../test-support/processes.ts';
import { createApiKey, revokeApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';
import { seedIfEmpty } from '../db/seed.ts';

// Deliveries by several processes: webhooks/concurrent-workers.test.ts. Tokens: oauth/processes.test.ts.

const held = new AsyncDisposableStack();
after(() => held.disposeAsync());
const { url, drop } = await cloneDatabase();
held.defer(drop);
const { db, close } = openDatabase(url);
held.defer(close);
await seedIfEmpty(db);
const processes = await Promise.all(Array.from({ length: 3 }, startProcess));

async function startProcess() {
  const room = await startServerProcess(
    join(import.meta.dirname, '../main.ts'),
    { API_PORT: '0', DATABASE_URL: url, API_SECRET: 'a secret of thirty-two characters' },
    ['--role', 'api'],
  );
  held.defer(async () => void (await room.stop()));
  return room;
}

/** For each of 120 earlier requests: seconds from now until it leaves the rate limit window. */
const LEAVING_SECONDS = Array.from({ length: 120 }, (_, index) => 1 + index / 40);

const createKey = () =>
  createApiKey(db, { organizationId: 'org_harbor', name: 'test', scopes: ALL_SCOPES });

/** Sends a request to the processes in turn. */
const ask = (turn: number, path: string, token: string, init: RequestInit = {}) =>
  fetch(`${processes[turn % processes.length]!.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

const atOnce = <Value>(count: number, act: (turn: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => act(turn)));

describe('three processes on one database', () => {
  test('pass exactly 120 of 200 requests of one credential', async () => {
    const { token } = await createKey();
    const answers = await atOnce(200, (turn) => ask(turn, '/organization', token));
    const refused = answers.filter(({ ok }) => !ok);
    for (const response of refused) assert.match(await response.text(), /rate_limited/);
    assert.equal(refused.length, 80);
    const passed = answers.filter(({ ok }) => ok);
    const left = passed.map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    // Every response reports another remaining count: no request was counted twice.
    assert.equal(new Set(left).size, 120);
  });

  test('pass a request only after an earlier one left the rate limit window', async () => {
    const { id, token } = await createKey();
    const earliest = performance.now();
    await sql`
      insert into request_budget
      select ${id}, array_agg(clock_timestamp() - (60 - s) * interval '1 s' order by s)
      from unnest(${LEAVING_SECONDS}::float8[]) as s`.execute(db);
    const latest = performance.now();
    const leftIn = (ms: number) => LEAVING_SECONDS.filter((s) => s * 1000 <= ms).length;

    const asked: { passed: boolean; from: number; to: number }[] = [];
    await atOnce(9, async (turn) => {
      while (performance.now() < latest + 3200) {
        const from = performance.now();
        const { ok: passed } = await ask(turn, '/organization', token);
        asked.push({ passed, from, to: performance.now() });
      }
    });
    const passed = asked.filter((one) => one.passed);
    assert.ok(passed.length > 20 && passed.length < asked.length);
    for (const { to } of passed) {
      assert.ok(passed.filter((one) => one.to <= to).length <= leftIn(to - earliest));
    }
    for (const { from, to } of asked.filter((one) => !one.passed)) {
      assert.ok(passed.filter((one) => one.from <= to).length >= leftIn(from - latest));
    }
  });

  test('all reject a revoked key from the next request', async () => {
    const { id, token } = await createKey();
    const before = await atOnce(3, (turn) => ask(turn, '/organization', token));
    await revokeApiKey(db, id);
    const afterwards = await atOnce(3, (turn) => ask(turn, '/organization', token));
    assert.deepEqual(
      [...before, ...afterwards].map(({ status }) => status),
      [200, 200, 200, 401, 401, 401],
    );
  });

  test('all reject the session of a revoked key', async () => {
    const { id, token } = await createKey();
    const opened = await post(0, token, 'sessions end');
    const session = ((await opened.json()) as { token: string }).token;
    const before = await atOnce(3, (turn) => ask(turn, '/donors', session));
    await revokeApiKey(db, id);
    const afterwards = await atOnce(3, (turn) => ask(turn, '/donors', session));
    assert.deepEqual(
      [...before, ...afterwards].map(({ status }) => status),
      [200, 200, 200, 401, 401, 401],
    );
  });

  test('run a request with one Idempotency-Key once, and all replay the same bytes', async () => {
    const { id, token } = await createKey();
    const answers = await atOnce(12, (turn) => post(turn, token, 'once'));
    const bodies = await Promise.all(
      answers.filter(({ status }) => status === 201).map((response) => response.text()),
    );
    assert.ok(bodies.length >= 1);
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));
    const repeated = await atOnce(
      3,
      async (turn) => await (await post(turn, token, 'once')).text(),
    );
    assert.equal(new Set([...bodies, ...repeated]).size, 1);
    const made = await db
      .selectFrom('component_session')
      .select('id')
      .where('api_key_id', '=', id)
      .execute();
    assert.equal(made.length, 1);
  });
});

const post = (turn: number, token: string, idempotencyKey: string) =>
  ask(turn, '/component-sessions', token, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey.replace(' ', '-'),
    },
    body: JSON.stringify({ components: ['donors'] }),
  });
