import { readConfig } from '../config.ts';
import { openDatabase, type OpenDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { connectOrStartPostgres } from '../db/postgres.ts';
import type { Db } from '../db/schema.ts';

/**
 * Migrates the service's database and runs an action on it. If this command had to start the embedded
 * PostgreSQL server, it stops the server afterwards.
 */
export async function withDatabase(
  action: (db: Db, database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const postgres = await connectOrStartPostgres(readConfig());
  const database = openDatabase(postgres.url, { limitStatements: false });
  try {
    await migrate(database.db);
    await action(database.db, database);
  } finally {
    await database.close();
    await postgres.stop();
  }
}
