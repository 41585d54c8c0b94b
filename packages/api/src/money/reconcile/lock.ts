import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Any number; processes that reconcile at once meet here. */
const LOCK = 4_107_250_618;

/**
 * Lets one process at a time reconcile. It ends with the connection, so that a process which dies
 * stands in nobody's way. Two at once would do no harm, only work.
 *
 * @returns undefined when another process is at it
 */
export const oneAtATime = <Result>(db: Db, act: () => Promise<Result>) =>
  db.connection().execute(async (connection): Promise<Result | undefined> => {
    const { rows } = await sql<{ ours: boolean }>`
      select pg_try_advisory_lock(${LOCK}) as ours`.execute(connection);
    if (!rows[0]?.ours) return undefined;
    try {
      return await act();
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
