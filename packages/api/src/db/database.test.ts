import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { eventually } from '../../test-support/start-api.ts';
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

const isThere = async (pid: number) =>
  (await sql`select from pg_stat_activity where pid = ${pid}`.execute(other.db)).rows.length > 0;

test('a connection that breaks while it is held ends its holder’s work, not the process', async () => {
  const work = db.connection().execute(async (connection) => {
    const pid = await pidOf(connection);
    await sql`select pg_terminate_backend(${pid})`.execute(other.db);
    // As while the processor is asked: no query is there to be told.
    await eventually(async () => ((await isThere(pid)) ? undefined : true));
    return await pidOf(connection);
  });
  await assert.rejects(work);
  // The pool lets go of what broke once its socket has ended, a moment after the query was told.
  const goesOn = () => pidOf(db).catch(() => undefined);
  assert.ok(await eventually(goesOn), 'the pool goes on with another connection');
});
