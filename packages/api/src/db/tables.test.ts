import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database.ts';
import { generateTableTypes, TABLE_TYPES_FILE } from '../../test-support/table-types.ts';
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
