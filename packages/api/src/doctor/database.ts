import type { ConnectError, ErrorCode } from '@connect-embed/contract';
import { sql } from 'kysely';
import { GUIDES_FOLDER, STRIPE_VARIABLES } from '../config.ts';
import type { Db } from '../db/schema.ts';
import { findPendingMigrations } from '../db/migrate.ts';
import { formatError } from '../lib/log.ts';
import type { Deps } from '../deps.ts';
import { passed, failure, type CheckResult } from './check-result.ts';

/** Checks that the database is reachable and that all migrations have run. */
export async function checkDatabase({ db }: Pick<Deps, 'db'>): Promise<CheckResult[]> {
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(db);
    const reachable = passed(`Database: PostgreSQL ${rows[0]?.version} is reachable.`);
    return [reachable, await checkTables(db)];
  } catch (error) {
    return [
      failure(
        `Database: ${formatError(error)}`,
        'Check DATABASE_URL, and that the database is running.',
      ),
    ];
  }
}

/** Fixes for the problems that `/readyz` reports and no other check. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  secret_mismatch:
    'Set API_SECRET to the secret of this database, for example from your backup. If it is lost: connect-embed secret replace',
  disk_full: `Free space on the disk of the database: ${GUIDES_FOLDER}/operations-runbooks.md`,
  processor_keys_missing: `Set ${STRIPE_VARIABLES.join(', ')}, or enter Stripe keys in the dashboard under Payments.`,
};

/** Checks what `/readyz` checks: that the database has our secret and free space, and that there are keys. */
export async function checkReadiness({
  checkReady,
}: Pick<Deps, 'checkReady'>): Promise<CheckResult> {
  try {
    await checkReady();
    return passed('Readiness: donations can be recorded.');
  } catch (error) {
    const { code, message } = error as ConnectError;
    const fix = FIXES[code] ?? 'Check that the database is no replica and has free space.';
    return failure(`Readiness: ${message}`, fix);
  }
}

async function checkTables(db: Db): Promise<CheckResult> {
  const missing = await findPendingMigrations(db);
  if (missing.length === 0) return passed('Migrations: up to date.');
  return failure(`Pending migrations: ${missing.join(', ')}.`, 'Run: connect-embed migrate');
}
