import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import {
  BEFORE_FIRST_RELEASE,
  isFromBeforeFirstRelease,
  readAppliedMigrations,
} from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { formatError } from '../lib/log.ts';
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
  const appliedMigrations = await readAppliedMigrations(db);
  if (isFromBeforeFirstRelease(appliedMigrations)) {
    return failure(BEFORE_FIRST_RELEASE.problem, BEFORE_FIRST_RELEASE.fix);
  }
  const missing = Object.keys(MIGRATIONS).filter((name) => !appliedMigrations.has(name));
  if (missing.length === 0) return passed('Migrations: up to date.');
  return failure(`Pending migrations: ${missing.join(', ')}.`, 'Run: connect-embed migrate');
}
