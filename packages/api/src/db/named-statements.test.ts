import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { openDatabase } from './database.ts';
import { SAME_PLAN } from './named-statements.ts';
import type { Db } from './schema.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(async () => {
  await close();
  await drop();
});

const TIMES = 12;

/** A pooler gives prepared statements other names, and may use another session for each statement. */
const skip = process.env['DIRECT_DATABASE_URL'] !== undefined;

/** Counts the statements that a connection has prepared and that contain a text. */
async function countPrepared(connection: Db, text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from pg_prepared_statements
    where position(${text} in statement) > 0`.execute(connection);
  return rows[0]!.count;
}

async function repeat(execute: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < TIMES; index += 1) await execute(index);
}

test('a connection prepares a statement that writes, once it has repeated', { skip }, async () => {
  await db.connection().execute(async (connection) => {
    await sql`create temporary table written (id int primary key, note text)`.execute(connection);
    const insert = (index: number) =>
      sql`insert into written (id, note) values (${index}, 'prepared write') returning id`.execute(
        connection,
      );
    await insert(-1);
    assert.equal(await countPrepared(connection, 'prepared write'), 0);
    await repeat(insert);
    assert.equal(await countPrepared(connection, 'prepared write'), 1);
    const { rows } = await sql`select count(*)::int from written`.execute(connection);
    assert.deepEqual(rows, [{ count: TIMES + 1 }]);
  });
});

test(
  'reads are planned for their values, unless they always have the same plan',
  { skip },
  async () => {
    await db.connection().execute(async (connection) => {
      await repeat((index) => sql`select ${index}::int as planned_read`.execute(connection));
      assert.equal(await countPrepared(connection, 'as planned_read'), 0);
      await repeat((index) =>
        sql`select ${index}::int as named_read ${SAME_PLAN}`.execute(connection),
      );
      assert.equal(await countPrepared(connection, 'as named_read'), 1);
    });
  },
);

test('a statement that returns all columns still works after a column was added', async () => {
  await db.connection().execute(async (connection) => {
    await sql`create temporary table widened (id int)`.execute(connection);
    const insert = async (index: number) =>
      (await sql`insert into widened (id) values (${index}) returning *`.execute(connection)).rows;
    await repeat(insert);
    await sql`alter table widened add note text default 'new'`.execute(connection);
    assert.deepEqual(await insert(99), [{ id: 99, note: 'new' }]);
  });
});
