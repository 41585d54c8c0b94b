import { Migrator, sql, type Migration } from 'kysely';
import { withLock, removeTimeouts, LOCKS } from './advisory-lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Db } from './schema.ts';

/**
 * Runs the pending migrations. If several processes start at once, one migrates and the others wait.
 *
 * Each migration is one transaction. All in one would hold the locks of all their tables, and deadlock
 * with the donations that the previous release still serves.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Db): Promise<string[]> {
  await rejectUnknownSchema(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => UNLIMITED_MIGRATIONS },
    // Branches add migrations in parallel, so a development database may have run a later one first.
    allowUnorderedMigrations: true,
  });
  return await withLock(db, LOCKS.migrate, async () => {
    const names: string[] = [];
    for (;;) {
      const { error, results = [] } = await migrator.migrateUp();
      if (error) {
        const failed = results.find(({ status }) => status === 'Error');
        const failureDescription = failed
          ? `Migration ${failed.migrationName} failed:`
          : 'The migrations failed:';
        throw new Error(failureDescription, { cause: error });
      }
      if (results.length === 0) return names;
      names.push(...results.map(({ migrationName }) => migrationName));
    }
  });
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
 * Fails if the tables of the database are not those of an earlier or this release, because this release
 * may misinterpret them, and migrations cannot be reverted.
 *
 * @throws {Error} that says what to do
 */
async function rejectUnknownSchema(db: Db): Promise<void> {
  const applied = await readAppliedMigrations(db).catch((cause: unknown) => {
    throw new Error('The migrations failed:', { cause });
  });
  const newestKnown = Object.keys(MIGRATIONS).sort().at(-1) ?? '';
  const newest = [...applied].sort().at(-1) ?? '';
  if (newest <= newestKnown) return;
  throw new Error(
    `The database is newer than this version of the service: its latest migration is ${newest}, and this version knows migrations up to ${newestKnown}. ` +
      'Migrations cannot be reverted. Start the newer version, or restore a backup from before the upgrade.',
  );
}

/** Returns the names of the migrations that have run. An empty database has none. */
async function readAppliedMigrations(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  return new Set(rows.map(({ name }) => name));
}

/** Returns the names of this release's migrations that have not run. */
export async function findPendingMigrations(db: Db): Promise<string[]> {
  const applied = await readAppliedMigrations(db);
  return Object.keys(MIGRATIONS).filter((name) => !applied.has(name));
}

/**
 * Creates the tables in an empty database. A command must not migrate another one: the processes of the
 * installation may run another release.
 *
 * @throws {Error} if the database is of another release
 */
export async function migrateIfEmpty(db: Db): Promise<void> {
  const applied = await readAppliedMigrations(db);
  await (applied.size === 0 ? migrate(db) : requireSameRelease(db));
}

/** @throws {Error} if the migrations of the database are not exactly those of this release */
export async function requireSameRelease(db: Db): Promise<void> {
  const applied = await readAppliedMigrations(db);
  const known = Object.keys(MIGRATIONS);
  if (applied.size === known.length && known.every((name) => applied.has(name))) return;
  throw new Error(
    'The database is empty or of another release. Use the command of its release, `npx connect-embed@VERSION` with the version that its service logs at the start, or upgrade the installation with `connect-embed migrate`.',
  );
}

/** SQLSTATE 42P01: the table does not exist. */
const UNDEFINED_TABLE = '42P01';
