import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { openDatabase } from './database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
const other = openDatabase(url);
after(async () => {
  await close();
  await other.close();
  await drop();
});

const pidOf = async (connection: typeof db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]!.pid;

test('a connection that breaks while it is held ends its holder’s work, not the process', async () => {
  const work = db.connection().execute(async (connection) => {
    const pid = await pidOf(connection);
    await sql`select pg_terminate_backend(${pid})`.execute(other.db);
    await sleep(200); // As while the processor is asked: no query is there to be told.
    return await pidOf(connection);
  });
  await assert.rejects(work);
  assert.ok(await pidOf(db), 'the pool goes on with another connection');
});
