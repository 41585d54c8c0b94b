import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { ALL_SCOPES, type ComponentSession } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneSeededDatabase } from '../../test-support/database/database.ts';
import {
  waitForOldTransactions,
  openLive,
  type LiveClient,
} from '../../test-support/network/live-client.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { eventually } from '../../test-support/app/start-api.ts';
import { createApiKey, revokeApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';
import { newId } from '../lib/id.ts';

const CHANGES = 1_000;
const MIN_CUTS = 5;
const ORGANIZATION = 'org_harbor';

const disposables = new AsyncDisposableStack();
after(() => disposables.disposeAsync());
const { url, drop } = await cloneSeededDatabase();
disposables.defer(drop);
const { db, close } = openDatabase(url);
disposables.defer(close);
const processes = await Promise.all([startProcess(), startProcess()]);

async function startProcess() {
  const apiProcess = await startServerProcess(
    join(import.meta.dirname, '../../../cli/src/service/main.ts'),
    { API_PORT: '0', DATABASE_URL: url, API_SECRET: 'a secret of thirty-two characters' },
    ['--role', 'api'],
  );
  disposables.defer(async () => void (await apiProcess.stop()));
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
async function insertDonations(count: number): Promise<string[]> {
  const donationIds: string[] = [];
  const worker = async () => {
    while (donationIds.length < count) {
      const rows = Array.from(
        { length: Math.min(1 + randomInt(4), count - donationIds.length) },
        () => donationRow(),
      );
      donationIds.push(...rows.map(({ id }) => id));
      await db.transaction().execute(async (tx) => {
        for (const row of rows) {
          await tx.insertInto('donation').values(row).execute();
          await sql`select pg_sleep(${Math.random() / 200})`.execute(tx);
        }
      });
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return donationIds;
}

describe('a live stream of two processes on one database', () => {
  test('sends the changes of another process', async () => {
    const { token } = await openSession();
    const stream = await openLive(processes[1]!.url, token);
    await eventually(async () => stream.eventsOf('open')[0]);
    const [id] = await insertDonations(1);
    const delivered = await eventually(async () => stream.eventsOf('donation')[0]);
    assert.equal(delivered.data['id'], id);
    await stream.close();
  });

  test(`sends each of ${CHANGES} changes once, however often the connection is cut`, async () => {
    const { token } = await openSession();
    const delivered: string[] = [];
    let lastEventId = '';
    let cutCount = 0;
    let stream: LiveClient | undefined;
    const reconnect = async () => {
      const next = await openLive(processes[cutCount % 2]!.url, token, { lastEventId });
      stream = next;
      await eventually(async () => next.eventsOf('open')[0]);
    };
    const cutConnection = async () => {
      await stream!.close();
      const { received, id } = stream!;
      delivered.push(
        ...received
          .filter(({ event }) => event === 'donation')
          .map((message) => `${message.data['id']}`),
      );
      assert.ok(!received.some(({ event }) => event === 'reset'));
      lastEventId = id;
      cutCount += 1;
    };

    await reconnect();
    assert.equal(stream!.eventsOf('open')[0]!.data['resumed'], false);
    // On a fast machine, all changes may be sent before the connection was cut often enough, so
    // more donations are inserted.
    const insertUntilCutEnough = async () => {
      const donationIds = await insertDonations(CHANGES);
      while (cutCount <= MIN_CUTS) donationIds.push(...(await insertDonations(CHANGES / 10)));
      return donationIds;
    };
    const insertion = insertUntilCutEnough();
    let done = false;
    void insertion.finally(() => (done = true));
    while (!done && cutCount < 60) {
      // Connections are cut at any moment of the transactions.
      await new Promise((resolve) => setTimeout(resolve, randomInt(120)));
      await cutConnection();
      await new Promise((resolve) => setTimeout(resolve, randomInt(60)));
      await reconnect();
      assert.equal(stream!.eventsOf('open')[0]!.data['resumed'], true);
    }
    const insertedIds = await insertion;
    await eventually(async () =>
      delivered.length + stream!.eventsOf('donation').length >= insertedIds.length
        ? true
        : undefined,
    );
    await cutConnection();
    assert.ok(cutCount > MIN_CUTS, `${cutCount} cuts`);
    assert.deepEqual([...delivered].sort(), [...insertedIds].sort());
  });

  test('sends the changes since the last connection once', async () => {
    const { token } = await openSession();
    const first = await openLive(processes[0]!.url, token);
    await eventually(async () => first.eventsOf('open')[0]);
    await first.close();
    const donationIds = await insertDonations(CHANGES);
    const second = await openLive(processes[1]!.url, token, { lastEventId: first.id });
    await eventually(async () =>
      second.eventsOf('donation').length >= CHANGES ? true : undefined,
    );
    await second.close();
    const third = await openLive(processes[0]!.url, token, { lastEventId: second.id });
    await eventually(async () => third.eventsOf('open')[0]);
    const [last] = await insertDonations(1);
    await eventually(async () => third.eventsOf('donation')[0]);
    assert.deepEqual(
      second
        .eventsOf('donation')
        .map(({ data }) => `${data['id']}`)
        .sort(),
      donationIds.sort(),
    );
    assert.deepEqual(
      third.eventsOf('donation').map(({ data }) => data['id']),
      [last],
    );
    await third.close();
  });

  test('sends the changes of a transaction that began earlier and is committed later', async () => {
    const { token } = await openSession();
    const stream = await openLive(processes[0]!.url, token);
    await eventually(async () => stream.eventsOf('open')[0]);
    const [slow, fast] = [donationRow(), donationRow()];
    const tx = await db.startTransaction().execute();
    await tx.insertInto('donation').values(slow).execute();
    await db.insertInto('donation').values(fast).execute();
    await tx.commit().execute();
    await eventually(async () => (stream.eventsOf('donation').length === 2 ? true : undefined));
    await stream.close();
    assert.deepEqual(
      new Set(stream.eventsOf('donation').map(({ data }) => data['id'])),
      new Set([slow.id, fast.id]),
    );
    const resumedStream = await openLive(processes[1]!.url, token, { lastEventId: stream.id });
    const [last] = await insertDonations(1);
    await eventually(async () => resumedStream.eventsOf('donation')[0]);
    assert.deepEqual(
      resumedStream.eventsOf('donation').map(({ data }) => data['id']),
      [last],
    );
    await resumedStream.close();
  });

  test('continues after all connections to the database were closed', async () => {
    const { token } = await openSession();
    const streams = await Promise.all(
      processes.map((apiProcess) => openLive(apiProcess.url, token)),
    );
    for (const stream of streams) await eventually(async () => stream.eventsOf('open')[0]);
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`.execute(
      db,
    );
    assert.ok(rows.length >= 1);
    const [id] = await insertDonations(1);
    for (const stream of streams) {
      const delivered = await eventually(async () => stream.eventsOf('donation')[0]);
      assert.equal(delivered.data['id'], id);
      await stream.close();
    }
  });

  test('ends when the key of its session is revoked, and sends nothing more', async () => {
    const { keyId, token } = await openSession();
    const stream = await openLive(processes[0]!.url, token);
    await eventually(async () => stream.eventsOf('open')[0]);
    await revokeApiKey(db, keyId);
    await insertDonations(1);
    await eventually(async () => (stream.isClosed ? true : undefined));
    assert.deepEqual(stream.eventsOf('donation'), []);
    assert.deepEqual(
      stream.eventsOf('end').map(({ data }) => data),
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
      const remainingSlots = db.selectFrom('live_stream').select('id').where('session_id', '=', id);
      return (await remainingSlots.execute()).length === 0 ? true : undefined;
    });
  });

  test('ends with reason stopping when its process stops, and resumes at another process', async () => {
    const { token } = await openSession();
    const apiProcess = await startProcess();
    const stream = await openLive(apiProcess.url, token);
    await eventually(async () => stream.eventsOf('open')[0]);
    assert.equal(await apiProcess.stop(), 0);
    await stream.ended;
    assert.deepEqual(
      stream.eventsOf('end').map(({ data }) => data),
      [{ reason: 'stopping' }],
    );
    const [id] = await insertDonations(1);
    const next = await openLive(processes[0]!.url, token, { lastEventId: stream.id });
    const delivered = await eventually(async () => next.eventsOf('donation')[0]);
    assert.equal(delivered.data['id'], id);
    await next.close();
  });
});
