import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * A number for a question that is about to be put to the processor; later questions have larger ones.
 *
 * An answer is written only where no answer to a later question stands. That suffices for any order
 * of events: whoever hears of a change asks after it happened, so its number is larger than that of
 * every answer that does not know of it. No lock is held while the processor thinks:
 * docs/decisions/0033-readings.md
 */
export async function nextRowVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ reading: number }>`
    select nextval('processor_reading') as reading`.execute(db);
  return rows[0]!.reading;
}
