import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/**
 * How long deliveries are stored. The specification only says "recent" (spec: Events, rule 4). The
 * retry schedule takes about three days.
 */
const RETENTION = '30 days';
/** Rows per statement, so that locks are held briefly. */
const BATCH = 5_000;

/**
 * Deletes old deliveries that are delivered or failed, with their attempts, and old events without
 * deliveries.
 */
export async function removeOldEvents(db: Db): Promise<void> {
  const old = sql`created_at < now() - ${RETENTION}::interval`;
  await deleteInBatches(
    db,
    sql`delete from webhook_delivery where id in (
    select id from webhook_delivery where status <> 'pending' and ${old} limit ${BATCH})`,
  );
  await deleteInBatches(
    db,
    sql`delete from webhook_event where id in (
    select id from webhook_event v where ${old} and not exists (
      select from webhook_delivery d where d.event_id = v.id) limit ${BATCH})`,
  );
}

async function deleteInBatches(db: Db, statement: ReturnType<typeof sql>): Promise<void> {
  for (let removed = BATCH; removed === BATCH;) {
    removed = Number((await statement.execute(db)).numAffectedRows ?? 0);
  }
}
