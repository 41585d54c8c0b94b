import { sql } from 'kysely';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';

/**
 * Maximum number of live streams (`GET /live`) of one session, in all processes. A new stream replaces
 * the oldest.
 */
const MAX_STREAMS_PER_SESSION = 8;
/** Slots of a process that has not renewed them for this long are deleted. */
const SLOT_TTL_SECONDS = 60;

interface StreamSlot {
  id: string;
  process: string;
  session_id: string;
  organization_id: string;
}

/**
 * Reserves one of the session's slots. If all are taken, the oldest stream loses its slot: its
 * connection may be dead without the server having noticed.
 */
export const takeSlot = (db: Db, slot: StreamSlot): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${slot.session_id}, 58))`.execute(tx);
    await acrossOrganizations(tx)
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
    await acrossOrganizations(tx).insertInto('live_stream').values(slot).execute();
  });

export async function releaseSlots(db: Db, ids: string[]): Promise<void> {
  await acrossOrganizations(db).deleteFrom('live_stream').where('id', 'in', ids).execute();
}

/**
 * Renews the slots of a process, and deletes expired slots.
 *
 * @returns the ids of the streams that still have a slot
 */
export async function renewSlots(db: Db, process: string): Promise<ReadonlySet<string>> {
  const rows = await acrossOrganizations(db)
    .updateTable('live_stream')
    .set({ seen_at: sql`clock_timestamp()` })
    .where('process', '=', process)
    .returning('id')
    .execute();
  await acrossOrganizations(db)
    .deleteFrom('live_stream')
    .where('seen_at', '<', sql<Date>`now() - ${sql.lit(SLOT_TTL_SECONDS)} * interval '1 second'`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
