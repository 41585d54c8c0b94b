import { readConfig } from '../config.ts';
import { openDatabase, type OpenDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { connectOrStartPostgres } from '../db/postgres.ts';
import type { Db } from '../db/schema.ts';

/**
 * Prepares the service's database and runs an action on it. If this command had to start the embedded
 * PostgreSQL server, it stops the server afterwards.
 *
 * @param prepare migrates the database by default
 */
export async function withDatabase(
  action: (db: Db, database: OpenDatabase) => Promise<void>,
  prepare: (db: Db) => Promise<unknown> = migrate,
): Promise<void> {
  const postgres = await connectOrStartPostgres(readConfig());
  const database = openDatabase(postgres.url, { limitStatements: false });
  try {
    await prepare(database.db);
    await action(database.db, database);
  } finally {
    await database.close();
    await postgres.stop();
  }
}
