import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { generateTableTypes, TABLE_TYPES_FILE } from '../../test-support/database/table-types.ts';
import { openDatabase } from './database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('the types of tables are those of the database', async () => {
  assert.equal(
    await readFile(TABLE_TYPES_FILE, 'utf8'),
    await generateTableTypes(db),
    'The tables have changed. Run `npm run table-types`.',
  );
});

test('the driver returns the types that the generator assumes', async () => {
  const time = new Date('2026-01-01T00:00:00.123Z');
  const { rows } = await sql`
    select true as bool, 1::int2 as int2, 1::int4 as int4, 1::int8 as int8, 1.5::float8 as float8,
      '1'::xid8 as xid8, 'a'::varchar as varchar, 'a'::tsvector as tsvector, '\\x00'::bytea as bytea,
      '{"a":1}'::jsonb as jsonb, ${time}::timestamptz as timestamptz, '{a}'::text[] as texts,
      array[${time}::timestamptz] as times`.execute(db);
  assert.deepEqual(rows, [
    {
      ...{ bool: true, int2: 1, int4: 1, int8: 1, float8: 1.5 },
      ...{ xid8: '1', varchar: 'a', tsvector: "'a'", bytea: Buffer.from([0]) },
      ...{ jsonb: { a: 1 }, timestamptz: time, texts: ['a'], times: [time] },
    },
  ]);
});
