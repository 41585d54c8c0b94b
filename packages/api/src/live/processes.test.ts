import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { ALL_SCOPES, type ComponentSession } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import {
  waitForOldTransactions,
  openLive,
  type LiveClient,
} from '../../test-support/live-client.ts';
import { startServerProcess } from '../../test-support/processes.ts';
import { eventually } from '../../test-support/start-api.ts';
import { createApiKey, revokeApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';
import { seedIfEmpty } from '../db/seed.ts';
import { newId } from '../lib/id.ts';

const CHANGES = 1_000;
const MIN_CUTS = 5;
const ORGANIZATION = 'org_harbor';

const held = new AsyncDisposableStack();
after(() => held.disposeAsync());
const { url, drop } = await cloneDatabase();
held.defer(drop);
const { db, close } = openDatabase(url);
held.defer(close);
await seedIfEmpty(db);
const processes = await Promise.all([startProcess(), startProcess()]);

async function startProcess() {
  const apiProcess = await startServerProcess(
    join(import.meta.dirname, '../main.ts'),
    { API_PORT: '0', DATABASE_URL: url, API_SECRET: 'a secret of thirty-two characters' },
    ['--role', 'api'],
  );
  held.defer(async () => void (await apiProcess.stop()));
  return apiProcess;
}

async function openSession(components = ['donations'], masks: string[] = []) {
  const key = await createApiKey(db, {
    organizationId: ORGANIZATION,
    name: 'test',
    scopes: ALL_SCOPES,
  });
  const response = await fetch(`${processes[0]!.url}/api/v1/component-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ components, masks }),
  });
  await waitForOldTransactions(db);
  return { keyId: key.id, ...((await response.json()) as ComponentSession) };
}

const donationRow = (organization_id = ORGANIZATION) => ({
  id: newId('don'),
  organization_id,
  amount_cents: 500,
  currency: 'usd',
  source: 'api' as const,
});

/** Inserts donations in transactions of random duration, so that they are committed out of order. */
async function give(count: number): Promise<string[]> {
  const made: string[] = [];
  const worker = async () => {
    while (made.length < count) {
      const rows = Array.from({ length: Math.min(1 + randomInt(4), count - made.length) }, () =>
        donationRow(),
      );
      made.push(...rows.map(({ id }) => id));
      await db.transaction().execute(async (tx) => {
        for (const row of rows) {
          await tx.insertInto('donation').values(row).execute();
          await sql`select pg_sleep(${Math.random() / 200})`.execute(tx);
        }
      });
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return made;
}

describe('a live stream of two processes on one database', () => {
  test('sends the changes of another process', async () => {
    const { token } = await openSession();
    const stream = await openLive(processes[1]!.url, token);
    await eventually(async () => stream.of('open')[0]);
    const [id] = await give(1);
    const delivered = await eventually(async () => stream.of('donation')[0]);
    assert.equal(delivered.data['id'], id);
    await stream.close();
  });

  test(`sends each of ${CHANGES} changes once, however often the connection is cut`, async () => {
    const { token } = await openSession();
    const delivered: string[] = [];
    let lastEventId = '';
    let cuts = 0;
    let stream: LiveClient | undefined;
    const reconnect = async () => {
      const next = await openLive(processes[cuts % 2]!.url, token, { lastEventId });
      stream = next;
      await eventually(async () => next.of('open')[0]);
    };
    const cut = async () => {
      await stream!.close();
      const { received, id } = stream!;
      delivered.push(
        ...received
          .filter(({ event }) => event === 'donation')
          .map((message) => `${message.data['id']}`),
      );
      assert.ok(!received.some(({ event }) => event === 'reset'));
      lastEventId = id;
      cuts += 1;
    };

    await reconnect();
    assert.equal(stream!.of('open')[0]!.data['resumed'], false);
    // A fast machine may finish before the connection was cut often enough, so more donations follow.
    const giveWhileCut = async () => {
      const made = await give(CHANGES);
      while (cuts <= MIN_CUTS) made.push(...(await give(CHANGES / 10)));
      return made;
    };
    const giving = giveWhileCut();
    let done = false;
    void giving.finally(() => (done = true));
    while (!done && cuts < 60) {
      await new Promise((resolve) => setTimeout(resolve, randomInt(120)));
      await cut();
      await new Promise((resolve) => setTimeout(resolve, randomInt(60)));
      await reconnect();
      assert.equal(stream!.of('open')[0]!.data['resumed'], true);
    }
    const made = await giving;
    await eventually(async () =>
      delivered.length + stream!.of('donation').length >= made.length ? true : undefined,
    );
    await cut();
    assert.ok(cuts > MIN_CUTS, `${cuts} cuts`);
    assert.deepEqual([...delivered].sort(), [...made].sort());
  });

  test('sends the changes since the last connection once', async () => {
    const { token } = await openSession();
    const first = await openLive(processes[0]!.url, token);
    await eventually(async () => first.of('open')[0]);
    await first.close();
    const made = await give(CHANGES);
    const second = await openLive(processes[1]!.url, token, { lastEventId: first.id });
    await eventually(async () => (second.of('donation').length >= CHANGES ? true : undefined));
    await second.close();
    const third = await openLive(processes[0]!.url, token, { lastEventId: second.id });
    await eventually(async () => third.of('open')[0]);
    const [last] = await give(1);
    await eventually(async () => third.of('donation')[0]);
    assert.deepEqual(
      second
        .of('donation')
        .map(({ data }) => `${data['id']}`)
        .sort(),
      made.sort(),
    );
    assert.deepEqual(
      third.of('donation').map(({ data }) => data['id']),
      [last],
    );
    await third.close();
  });

  test('sends the changes of a transaction that began earlier and is committed later', async () => {
    const { token } = await openSession();
    const stream = await openLive(processes[0]!.url, token);
    await eventually(async () => stream.of('open')[0]);
    const [slow, fast] = [donationRow(), donationRow()];
    const tx = await db.startTransaction().execute();
    await tx.insertInto('donation').values(slow).execute();
    await db.insertInto('donation').values(fast).execute();
    await tx.commit().execute();
    await eventually(async () => (stream.of('donation').length === 2 ? true : undefined));
    await stream.close();
    assert.deepEqual(
      new Set(stream.of('donation').map(({ data }) => data['id'])),
      new Set([slow.id, fast.id]),
    );
    const again = await openLive(processes[1]!.url, token, { lastEventId: stream.id });
    const [last] = await give(1);
    await eventually(async () => again.of('donation')[0]);
    assert.deepEqual(
      again.of('donation').map(({ data }) => data['id']),
      [last],
    );
    await again.close();
  });

  test('continues after all connections to the database were closed', async () => {
    const { token } = await openSession();
    const streams = await Promise.all(processes.map((one) => openLive(one.url, token)));
    for (const stream of streams) await eventually(async () => stream.of('open')[0]);
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`.execute(
      db,
    );
    assert.ok(rows.length >= 1);
    const [id] = await give(1);
    for (const stream of streams) {
      const delivered = await eventually(async () => stream.of('donation')[0]);
      assert.equal(delivered.data['id'], id);
      await stream.close();
    }
  });

  test('ends when the key of its session is revoked, and sends nothing more', async () => {
    const { keyId, token } = await openSession();
    const stream = await openLive(processes[0]!.url, token);
    await eventually(async () => stream.of('open')[0]);
    await revokeApiKey(db, keyId);
    await give(1);
    await eventually(async () => (stream.over ? true : undefined));
    assert.deepEqual(stream.of('donation'), []);
    assert.deepEqual(
      stream.of('end').map(({ data }) => data),
      [{ reason: 'expired' }],
    );
  });

  test('is one of at most eight of its session; a new one replaces the oldest', async () => {
    const { id, token } = await openSession();
    const streams: LiveClient[] = [];
    for (let index = 0; index < 10; index += 1) {
      streams.push(await openLive(processes[index % 2]!.url, token));
    }
    const { count } = await db
      .selectFrom('live_stream')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(count, 8);
    await Promise.all(streams.map((stream) => stream.close()));
    await eventually(async () => {
      const left = db.selectFrom('live_stream').select('id').where('session_id', '=', id);
      return (await left.execute()).length === 0 ? true : undefined;
    });
  });

  test('ends with reason stopping when its process stops, and resumes at another process', async () => {
    const { token } = await openSession();
    const apiProcess = await startProcess();
    const stream = await openLive(apiProcess.url, token);
    await eventually(async () => stream.of('open')[0]);
    assert.equal(await apiProcess.stop(), 0);
    await stream.ended;
    assert.deepEqual(
      stream.of('end').map(({ data }) => data),
      [{ reason: 'stopping' }],
    );
    const [id] = await give(1);
    const next = await openLive(processes[0]!.url, token, { lastEventId: stream.id });
    const delivered = await eventually(async () => next.of('donation')[0]);
    assert.equal(delivered.data['id'], id);
    await next.close();
  });
});
