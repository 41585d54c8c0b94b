import type { EventType } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** A webhook event with the text that is sent. */
export interface LoggedEvent {
  id: string;
  type: EventType;
  body: string;
}

/** The transactions whose events have been read. */
export interface EventPosition {
  /** A snapshot of PostgreSQL, as text. */
  snapshot: string;
  /** Start of the read, in the time of the database. */
  readAt: string;
}

interface EventFilter {
  /** Null for all organizations. */
  organizationId: string | null;
  types: readonly EventType[];
}

/** Longest duration of a transaction that saves an event, with a large margin. */
const LONGEST_TRANSACTION = '1 hour';

/**
 * Reads the events that were committed since a position, oldest first.
 *
 * Time alone would lose events, because a transaction that began earlier can commit later. So an event
 * counts as new if its transaction was not visible to the previous read; the time only limits the
 * rows that are compared.
 *
 * @param position undefined for the end of the log
 */
export async function readEventsSince(
  db: Db,
  { organizationId, types }: EventFilter,
  position: EventPosition | undefined,
): Promise<{ events: LoggedEvent[]; position: EventPosition }> {
  const { snapshot = null, readAt = null } = position ?? {};
  const { rows } = await sql<EventPosition & (LoggedEvent | { id: null })>`
    select now.snapshot, now."readAt", event.id, event.type, event.body
    from (select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as "readAt") now
    left join webhook_event event on event.created_at >=
        ${readAt}::timestamptz - ${LONGEST_TRANSACTION}::interval
      and not pg_visible_in_snapshot(event.transaction_id, ${snapshot}::pg_snapshot)
      and (${organizationId}::text is null or event.organization_id = ${organizationId})
      and event.type = any(${types})
    order by event.created_at, event.id`.execute(db);
  const { snapshot: newSnapshot, readAt: newReadAt } = rows[0]!;
  return {
    events: rows.filter((row): row is EventPosition & LoggedEvent => row.id !== null),
    position: { snapshot: newSnapshot, readAt: newReadAt },
  };
}
