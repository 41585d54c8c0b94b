import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';

import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { eventually } from '../../test-support/app/start-api.ts';
import { poolerWarnings, type PoolerCapabilities } from './connection.ts';
import { openDatabase } from './database.ts';
import { createPrepare } from './prepared.ts';

const { url, drop } = await cloneDatabase();
const { db, pool, close } = openDatabase(url);
const other = openDatabase(url);
after(async () => {
  await close();
  await other.close();
  await drop();
});

const pidOf = async (connection: typeof db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]!.pid;

const isRunning = async (pid: number) =>
  (await sql`select from pg_stat_activity where pid = ${pid}`.execute(other.db)).rows.length > 0;

test('a connection that breaks while in use fails the work that uses it, not the process', async () => {
  const work = db.connection().execute(async (connection) => {
    const pid = await pidOf(connection);
    await sql`select pg_terminate_backend(${pid})`.execute(other.db);
    // Wait until the connection is closed. Meanwhile no query runs that could report the error, just as
    // during a request to the card processor.
    await eventually(async () => ((await isRunning(pid)) ? undefined : true));
    return await pidOf(connection);
  });
  await assert.rejects(work);
  // The pool removes a broken connection when its socket has closed, shortly after the query failed.
  const canQuery = () => pidOf(db).catch(() => undefined);
  assert.ok(await eventually(canQuery), 'the pool opens another connection');
});

/** A proxy between a client and PostgreSQL that can inspect or change the data. */
async function startProxy(change: {
  start?: (data: Buffer) => void;
  onServerData?: (data: Buffer) => void;
}) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname);
    if (change.start) socket.once('data', change.start);
    if (change.onServerData) server.on('data', change.onServerData);
    socket.pipe(server).pipe(socket);
    for (const emitter of [socket, server]) emitter.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxiedUrl = new URL(url);
  proxiedUrl.port = String((proxy.address() as AddressInfo).port);
  return { url: proxiedUrl.href, close: () => proxy.close() };
}

test('a connection is opened without startup parameters that a pooler rejects', async () => {
  const refused: string[] = [];
  const proxy = await startProxy({
    start: (data) => {
      // A startup message: 4 bytes length, 4 bytes version, then names and values in turn.
      const names = data
        .subarray(8)
        .toString()
        .split('\0')
        .filter((_, at) => at % 2 === 0);
      refused.push(...names.filter((name) => name && !STANDARD.has(name)));
    },
  });
  const opened = openDatabase(proxy.url);
  try {
    assert.ok((await pidOf(opened.db)) > 0);
    assert.deepEqual(refused, []);
  } finally {
    await opened.close();
    proxy.close();
  }
});

/** Startup parameters that PgBouncer accepts without extra configuration. */
const STANDARD = new Set([
  ...['user', 'database', 'client_encoding', 'datestyle', 'timezone'],
  ...['standard_conforming_strings', 'application_name', 'replication'],
]);

test('statements have a time limit unless it is turned off', async () => {
  const limitOf = async (connection: typeof db) =>
    (
      await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
        connection,
      )
    ).rows[0]!.limit;
  assert.equal(await limitOf(db), '10s');
  let isPooled = false;
  const unlimited = openDatabase(url, {
    limitStatements: false,
    onPoolerDetected: () => (isPooled = true),
  });
  try {
    // Behind a pooler the limit is set on the role, and `removeTimeouts` removes it in a transaction.
    assert.equal(await limitOf(unlimited.db), isPooled ? '10s' : '0');
  } finally {
    await unlimited.close();
  }
});

test('a pooler is detected by its process numbers, and its sessions are not changed', async () => {
  // The message BackendKeyData consists of `K`, the length, the process number and a key.
  const proxy = await startProxy({
    onServerData: (data) => {
      const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) data.writeInt32BE(data.readInt32BE(at + 5) ^ 0x0f0f, at + 5);
    },
  });
  const found: PoolerCapabilities[] = [];
  const opened = openDatabase(proxy.url, {
    onPoolerDetected: (capabilities) => found.push(capabilities),
  });
  try {
    const readProcessId = async () =>
      (
        await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
          opened.db,
        )
      ).rows[0]!.limit;
    const { rows } = await sql<{ limit: string }>`
      select setconfig::text as limit from pg_db_role_setting
      where setrole = current_user::regrole`.execute(db);
    const hasRoleTimeout = rows[0]?.limit.includes('statement_timeout=10s') ?? false;
    assert.equal(await readProcessId(), hasRoleTimeout ? '10s' : '0');
    assert.equal(found[0]?.hasStatementTimeout, hasRoleTimeout);
    const query = createPrepare(opened)<{ one: number }, { one: number }>(
      (value) => sql`select ${value('one')}::int as one`,
    );
    await Promise.all(Array.from({ length: 8 }, (_, one) => query({ one })));
    const { rows: statements } = await sql`
      select from pg_prepared_statements where name not like 'PGBOUNCER%'`.execute(opened.db);
    assert.equal(statements.length, 0);
    assert.equal(found.length, 1, 'the pooler is reported once');
    if (!found[0]!.supportsPreparedStatements)
      assert.match(poolerWarnings(found[0]!).at(-1)!.problem, /prepared/);
  } finally {
    await opened.close();
    proxy.close();
  }
});

test('a named statement runs on every connection, also in a session that did not prepare it', async () => {
  const prepare = createPrepare({ db, pool });
  const query = prepare<{ sum: number }, { one: number; other: number }>(
    (value) => sql`select ${value('one')}::int + ${value('other')}::int as sum`,
  );
  for (let round = 0; round < 5; round += 1) {
    const sums = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, index) => (await query({ one: index, other: round }))[0]!.sum,
      ),
    );
    assert.deepEqual(
      sums,
      Array.from({ length: 40 }, (_, index) => index + round),
    );
  }
});
