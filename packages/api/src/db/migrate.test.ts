import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { removeTimeouts } from './advisory-lock.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { withDatabase } from '../../test-support/database/database-server.ts';
import { MIGRATIONS } from './migrations/index.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('an up-to-date database is not changed', async () => {
  assert.deepEqual(await migrate(db), []);
});

test('processes that start at once migrate an empty database once, and leave no lock', async () => {
  const name = `${new URL(url).pathname.slice(1)}_empty`;
  await sql`create database ${sql.id(name)}`.execute(db);
  const processes = Array.from({ length: 3 }, () => openDatabase(withDatabase(url, name)));
  try {
    const migrated = await Promise.all(processes.map((instance) => migrate(instance.db)));
    assert.deepEqual(migrated.flat().toSorted(), Object.keys(MIGRATIONS).toSorted());
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`.execute(
      processes[0]!.db,
    );
    assert.equal(rows.length, 0);
  } finally {
    await Promise.all(processes.map((instance) => instance.close()));
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
  }
});

test("a migration has no statement timeout, whatever the role's limit is", async () => {
  const limit = async (client: typeof db) =>
    (
      await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
        client,
      )
    ).rows[0]!.limit;
  const timeoutInMigration = await db.transaction().execute(async (tx) => {
    await removeTimeouts(tx);
    return await limit(tx);
  });
  assert.equal(timeoutInMigration, '0');
  assert.notEqual(await limit(db), '0');
});

test('a database of a newer release is rejected: there are no down migrations', async () => {
  await sql`insert into kysely_migration values ('9999-later', now()::text)`.execute(db);
  const newestMigration = Object.keys(MIGRATIONS).at(-1)!;
  await assert.rejects(migrate(db), ({ message, cause }: Error) => {
    assert.equal(cause, undefined); // No PostgreSQL error inside.
    assert.match(
      message,
      /latest migration is 9999-later, and this version knows migrations up to (\S+)\./,
    );
    assert.ok(message.includes(newestMigration));
    assert.match(message, /Start the newer version, or restore a backup/);
    return true;
  });
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  assert.ok(rows.some(({ name }) => name === '9999-later'));
});
