import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { migrate, openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('a database that is up to date stays as it is', async () => {
  assert.deepEqual(await migrate(db), []);
});

test('a database that is newer than the program is refused: migrations run forwards only', async () => {
  await sql`insert into kysely_migration values ('9999-later', now()::text)`.execute(db);
  const known = Object.keys(MIGRATIONS).at(-1)!;
  await assert.rejects(migrate(db), ({ message, cause }: Error) => {
    assert.equal(cause, undefined); // Our words alone.
    assert.match(message, /it is at 9999-later, and the program knows (\S+) at the most/);
    assert.ok(message.includes(known));
    assert.match(message, /Start the newer program, or restore a backup/);
    return true;
  });
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  assert.ok(rows.some(({ name }) => name === '9999-later'));
});
