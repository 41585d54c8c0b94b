import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { formatError } from '../lib/format-error.ts';
import { passed, failure, type CheckResult } from './check-result.ts';

/** Checks that the database is reachable and that all migrations have run. */
export async function checkDatabase(db: Db): Promise<CheckResult[]> {
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(db);
    return [
      passed(`Database: PostgreSQL ${rows[0]?.version} is reachable.`),
      await checkTables(db),
    ];
  } catch (error) {
    return [
      failure(
        `Database: ${formatError(error)}`,
        'Check DATABASE_URL, and that the database is running.',
      ),
    ];
  }
}

async function checkTables(db: Db): Promise<CheckResult> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => ({ rows: [] }));
  const appliedMigrations = new Set(rows.map(({ name }) => name));
  const missing = Object.keys(MIGRATIONS).filter((name) => !appliedMigrations.has(name));
  if (missing.length === 0) return passed('Migrations: up to date.');
  return failure(`Pending migrations: ${missing.join(', ')}.`, 'Run: connect migrate');
}
