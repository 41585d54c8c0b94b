import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Streams of one session, on all processes together; the newest ones stay. */
export const MAX_STREAMS_PER_SESSION = 8;
/** Whose process has not been heard of for so long has none any more. */
const SLOT_TTL_SECONDS = 60;

export interface StreamSlot {
  id: string;
  process: string;
  session_id: string;
  organization_id: string;
}

/**
 * Takes a place among a session's streams. Where there is none left, the oldest one's is taken: it may
 * well be a connection that nobody has heard the end of.
 */
export const takeSlot = (db: Db, slot: StreamSlot): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${slot.session_id}, 58))`.execute(tx);
    await tx
      .deleteFrom('live_stream')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('live_stream')
          .select('id')
          .where('session_id', '=', slot.session_id)
          .orderBy('opened_at', 'desc')
          .offset(MAX_STREAMS_PER_SESSION - 1),
      )
      .execute();
    await tx.insertInto('live_stream').values(slot).execute();
  });

export async function releaseSlots(db: Db, ids: string[]): Promise<void> {
  await db.deleteFrom('live_stream').where('id', 'in', ids).execute();
}

/**
 * Says that a process is there, and forgets those that are not.
 *
 * @returns the ids of its streams that still have their places
 */
export async function renewSlots(db: Db, process: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .updateTable('live_stream')
    .set({ seen_at: sql`clock_timestamp()` })
    .where('process', '=', process)
    .returning('id')
    .execute();
  await db
    .deleteFrom('live_stream')
    .where('seen_at', '<', sql<Date>`now() - ${sql.lit(SLOT_TTL_SECONDS)} * interval '1 second'`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
