import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Lock numbers, one for each task. `migrate` is the number of Kysely's own migration lock. */
export const LOCKS = {
  seedRows: 4_107_250_616n,
  seed: 4_107_250_617n,
  reconcile: 4_107_250_618n,
  setup: 4_107_250_619n,
  donationTotals: 4_107_250_620n,
  migrate: 3_853_314_791_062_309_107n,
} as const;
type LockId = (typeof LOCKS)[keyof typeof LOCKS];

/**
 * Waits until no other process runs the task, then runs it.
 *
 * The lock belongs to a transaction that stays open while the task runs. The task uses the transaction or
 * other connections. The lock ends with the transaction, also if the process crashes. A session lock would stay on a connection
 * that a pooler (PgBouncer in transaction mode) gives to another client.
 */
export const withLock = <Result>(
  db: Db,
  lock: LockId,
  task: (tx: Db) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await lockUntilCommit(tx, lock);
    return await task(tx);
  });

/** Waits for a lock and holds it until the transaction ends. */
export async function lockUntilCommit(tx: Db, lock: LockId): Promise<void> {
  await removeTimeouts(tx);
  await sql`select pg_advisory_xact_lock(${String(lock)}::text::bigint)`.execute(tx);
}

/**
 * Runs a task if no other process is running it; does not wait.
 *
 * @returns undefined if another process is running the task
 */
export const tryWithLock = <Result>(
  db: Db,
  lock: LockId,
  task: (tx: Db) => Promise<Result>,
): Promise<Result | undefined> =>
  db.transaction().execute(async (tx) => {
    await removeTimeouts(tx);
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(${String(lock)}::text::bigint) as acquired`.execute(tx);
    return rows[0]?.acquired ? await task(tx) : undefined;
  });

/** Removes the timeouts for statements and for idle time in this transaction. */
export async function removeTimeouts(tx: Db): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
}
