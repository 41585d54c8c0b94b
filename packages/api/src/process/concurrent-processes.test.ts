import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { ALL_SCOPES } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneSeededDatabase } from '../../test-support/database/database.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { createApiKey, revokeApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';

// Other tests with several processes: webhooks/concurrent-workers.test.ts for deliveries,
// oauth/processes.test.ts for tokens.

const disposables = new AsyncDisposableStack();
after(() => disposables.disposeAsync());
const { url, drop } = await cloneSeededDatabase();
disposables.defer(drop);
const { db, close } = openDatabase(url);
disposables.defer(close);
const processes = await Promise.all(Array.from({ length: 3 }, startProcess));

async function startProcess() {
  const serverProcess = await startServerProcess(
    join(import.meta.dirname, '../../../cli/src/service/main.ts'),
    { API_PORT: '0', DATABASE_URL: url, API_SECRET: 'a secret of thirty-two characters' },
    ['--role', 'api'],
  );
  disposables.defer(async () => void (await serverProcess.stop()));
  return serverProcess;
}

/** For each of 120 earlier requests: seconds from now until it leaves the rate limit window. */
const EXPIRY_SECONDS = Array.from({ length: 120 }, (_, index) => 1 + index / 40);

const createKey = () =>
  createApiKey(db, { organizationId: 'org_harbor', name: 'test', scopes: ALL_SCOPES });

/** Sends a request to the processes in turn. */
const request = (index: number, path: string, token: string, init: RequestInit = {}) =>
  fetch(`${processes[index % processes.length]!.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

const runConcurrently = <Value>(count: number, operation: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => operation(index)));

describe('three processes on one database', () => {
  test('pass exactly 120 of 200 requests of one credential', async () => {
    const { token } = await createKey();
    const responses = await runConcurrently(200, (index) => request(index, '/organization', token));
    const rejected = responses.filter(({ ok }) => !ok);
    for (const response of rejected) assert.match(await response.text(), /rate_limited/);
    assert.equal(rejected.length, 80);
    const allowed = responses.filter(({ ok }) => ok);
    const remaining = allowed.map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    // Every response reports a different remaining count, so no request was counted twice.
    assert.equal(new Set(remaining).size, 120);
  });

  test('pass a request only after an earlier one left the rate limit window', async () => {
    const { id, token } = await createKey();
    const earliest = performance.now();
    await sql`
      insert into request_budget
      select ${id}, array_agg(clock_timestamp() - (60 - s) * interval '1 s' order by s)
      from unnest(${EXPIRY_SECONDS}::float8[]) as s`.execute(db);
    const latest = performance.now();
    const countExpired = (ms: number) => EXPIRY_SECONDS.filter((s) => s * 1000 <= ms).length;

    const outcomes: { isAllowed: boolean; from: number; to: number }[] = [];
    await runConcurrently(9, async (index) => {
      while (performance.now() < latest + 3200) {
        const from = performance.now();
        const { ok: isAllowed } = await request(index, '/organization', token);
        outcomes.push({ isAllowed, from, to: performance.now() });
      }
    });
    const allowedRequests = outcomes.filter((request) => request.isAllowed);
    assert.ok(allowedRequests.length > 20 && allowedRequests.length < outcomes.length);
    for (const { to } of allowedRequests) {
      assert.ok(
        allowedRequests.filter((request) => request.to <= to).length <= countExpired(to - earliest),
      );
    }
    for (const { from, to } of outcomes.filter((request) => !request.isAllowed)) {
      assert.ok(
        allowedRequests.filter((request) => request.from <= to).length >=
          countExpired(from - latest),
      );
    }
  });

  test('all reject the next request with a revoked key', async () => {
    const { id, token } = await createKey();
    const responsesBefore = await runConcurrently(3, (index) =>
      request(index, '/organization', token),
    );
    await revokeApiKey(db, id);
    const responsesAfter = await runConcurrently(3, (index) =>
      request(index, '/organization', token),
    );
    assert.deepEqual(
      [...responsesBefore, ...responsesAfter].map(({ status }) => status),
      [200, 200, 200, 401, 401, 401],
    );
  });

  test('all reject the session of a revoked key', async () => {
    const { id, token } = await createKey();
    const opened = await post(0, token, 'sessions end');
    const session = ((await opened.json()) as { token: string }).token;
    const responsesBefore = await runConcurrently(3, (index) => request(index, '/donors', session));
    await revokeApiKey(db, id);
    const responsesAfter = await runConcurrently(3, (index) => request(index, '/donors', session));
    assert.deepEqual(
      [...responsesBefore, ...responsesAfter].map(({ status }) => status),
      [200, 200, 200, 401, 401, 401],
    );
  });

  test('continue a list with the cursor of another process', async () => {
    const { token } = await createKey();
    const page = await request(0, '/donations?limit=1', token);
    const { next_cursor } = (await page.json()) as { next_cursor: string };
    const next = await request(1, `/donations?cursor=${next_cursor}`, token);
    assert.equal(next.status, 200);
  });

  test('run a request with one Idempotency-Key once, and all replay the same bytes', async () => {
    const { id, token } = await createKey();
    const responses = await runConcurrently(12, (index) => post(index, token, 'once'));
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 201).map((response) => response.text()),
    );
    assert.ok(bodies.length >= 1);
    assert.ok(responses.every(({ status }) => status === 201 || status === 409));
    const repeated = await runConcurrently(
      3,
      async (index) => await (await post(index, token, 'once')).text(),
    );
    assert.equal(new Set([...bodies, ...repeated]).size, 1);
    const intents = await db
      .selectFrom('component_session')
      .select('id')
      .where('api_key_id', '=', id)
      .execute();
    assert.equal(intents.length, 1);
  });
});

const post = (index: number, token: string, idempotencyKey: string) =>
  request(index, '/component-sessions', token, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey.replace(' ', '-'),
    },
    body: JSON.stringify({ components: ['donors'] }),
  });
