import { readConfig } from '../config.ts';
import { openDatabase, type OpenDatabase } from '../db/database.ts';
import { migrateIfEmpty } from '../db/migrate.ts';
import { connectOrStartPostgres } from '../db/postgres.ts';
import type { Db } from '../db/schema.ts';

/**
 * Prepares the service's database and runs an action on it. If this command had to start the embedded
 * PostgreSQL server, it stops the server afterwards.
 *
 * @param prepare by default migrates only an empty database, because the processes of the installation may run an
 * earlier release than this command
 */
export async function withDatabase(
  action: (db: Db, database: OpenDatabase) => Promise<void>,
  prepare: (db: Db) => Promise<unknown> = migrateIfEmpty,
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
