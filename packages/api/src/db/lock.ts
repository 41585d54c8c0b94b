import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Processes that do the same at once meet at these numbers. The last is the one that Kysely's own lock has. */
export const LOCKS = {
  seedRows: 4_107_250_616n,
  seed: 4_107_250_617n,
  reconcile: 4_107_250_618n,
  migrate: 3_853_314_791_062_309_107n,
} as const;
type Lock = (typeof LOCKS)[keyof typeof LOCKS];

/**
 * Runs a task while no other process does, and waits for its turn.
 *
 * The lock belongs to a transaction that is open for as long as the task runs. It ends with the
 * transaction, so also with a process that dies. A lock of the session would stay on the connection
 * that a pooler (PgBouncer in transaction mode) hands to somebody else.
 *
 * The task runs on other connections.
 */
export const inTurn = <Result>(db: Db, lock: Lock, task: () => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await lockUntilCommit(tx, lock);
    return await task();
  });

/** Waits for a lock, which then belongs to this transaction. */
export async function lockUntilCommit(tx: Db, lock: Lock): Promise<void> {
  await liftTimeLimits(tx);
  await sql`select pg_advisory_xact_lock(${String(lock)}::text::bigint)`.execute(tx);
}

/**
 * The same, without waiting.
 *
 * @returns undefined when another process has its turn
 */
export const unlessTaken = <Result>(
  db: Db,
  lock: Lock,
  task: () => Promise<Result>,
): Promise<Result | undefined> =>
  db.transaction().execute(async (tx) => {
    await liftTimeLimits(tx);
    const { rows } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(${String(lock)}::text::bigint) as ours`.execute(tx);
    return rows[0]?.ours ? await task() : undefined;
  });

/** Lets the statements of one transaction, and the pauses between them, take as long as they need. */
export async function liftTimeLimits(tx: Db): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
}
