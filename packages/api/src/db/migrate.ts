import { Migrator, sql, type Migration } from 'kysely';
import { withLock, removeTimeouts, LOCKS } from './advisory-lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Db } from './schema.ts';

/**
 * Runs the pending migrations. If several processes start at once, one migrates and the others wait.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Db): Promise<string[]> {
  await rejectNewerSchema(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => UNLIMITED_MIGRATIONS },
    // Branches add migrations in parallel, so a development database may have run a later one first.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await withLock(db, LOCKS.migrate, () =>
    migrator.migrateToLatest(),
  );
  const failed = results.find(({ status }) => status === 'Error');
  if (error) {
    const failureDescription = failed
      ? `Migration ${failed.migrationName} failed:`
      : 'The migrations failed:';
    throw new Error(failureDescription, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}

/**
 * The migrations without the statement timeout that the role may have, because a migration may rewrite
 * a large table.
 */
const UNLIMITED_MIGRATIONS = Object.fromEntries(
  Object.entries(MIGRATIONS).map(([name, { up }]): [string, Migration] => [
    name,
    {
      up: async (tx) => {
        await removeTimeouts(tx);
        await up(tx);
      },
    },
  ]),
);

/**
 * Fails if a later release has migrated this database, because this release may misinterpret its
 * tables, and migrations cannot be reverted.
 *
 * @throws {Error} that names the newest migration of the database and of this release
 */
async function rejectNewerSchema(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return { rows: [] }; // The database is empty.
      throw new Error('The migrations failed:', { cause: error });
    });
  const newestKnown = Object.keys(MIGRATIONS).sort().at(-1) ?? '';
  const newest = rows[0]?.name ?? '';
  if (newest <= newestKnown) return;
  throw new Error(
    `The database is newer than this version of the service: its latest migration is ${newest}, and this version knows migrations up to ${newestKnown}. ` +
      'Migrations cannot be reverted. Start the newer version, or restore a backup from before the upgrade.',
  );
}

/** SQLSTATE 42P01: the table does not exist. */
const UNDEFINED_TABLE = '42P01';
