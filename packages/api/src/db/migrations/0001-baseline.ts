import { readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';

/** Creates all tables of the first release in an empty database: `schema.sql`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const schema = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');
  // Without parameters, PostgreSQL accepts several statements in one query.
  await sql.raw(schema).execute(db);
}
