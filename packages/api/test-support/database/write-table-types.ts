/** `npm run table-types` writes `db/tables.ts` from a temporary database with all migrations. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { openTestServer, withDatabase } from './database-server.ts';
import { generateTableTypes, TABLE_TYPES_FILE } from './table-types.ts';

const HELP =
  'Writes the types of the tables, packages/api/src/db/tables.ts, from a temporary database with all migrations. ' +
  'Run it after a change of schema.sql or a new migration.';

const { help } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }).values;
if (help) {
  console.log(HELP);
  process.exit();
}
const server = await openTestServer(undefined);
try {
  const { db, close } = openDatabase(withDatabase(server.url, server.template));
  await writeFile(TABLE_TYPES_FILE, await generateTableTypes(db).finally(close));
} finally {
  await server.close();
}
