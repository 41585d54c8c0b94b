import { ConnectError } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db, Tx } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';
import { requireState, type EventAction } from './event-state.ts';
import { SEAT_HOLDING_STATUSES } from './registration-states.ts';

export type EventRow = Selectable<Database['event']>;
export type TicketTypeRow = Selectable<Database['event_ticket_type']>;

export interface EventRef {
  organizationId: string;
  id: string;
}

const selectEvent = (db: Db, { organizationId, id }: EventRef) =>
  forOrganization(db, organizationId).selectFrom('event').selectAll().where('id', '=', id);

/**
 * Finds an event of an organization.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findEvent(db: Db, ref: EventRef): Promise<EventRow> {
  return await findById('event', ref.id, selectEvent(db, ref));
}

/**
 * Locks an event's row until the transaction ends. Anything that takes seats, changes the capacity
 * or cancels the event acquires this lock, so that the counts of seats are exact.
 *
 * Other transactions can still read the event and insert rows that refer to it.
 *
 * @throws {ConnectError} `not_found`
 */
export async function lockEvent(tx: Tx, ref: EventRef): Promise<EventRow> {
  return await findById('event', ref.id, selectEvent(tx, ref).forNoKeyUpdate());
}

/**
 * Changes an event, its ticket types or registrations under its lock.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the state of the event does not allow the action
 */
export const changeEvent = <Result>(
  db: Db,
  ref: EventRef,
  action: EventAction,
  change: (tx: Tx, event: EventRow) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, ref);
    requireState(action, event);
    return await change(tx, event);
  });

/** Counts the seats that registrations hold, in total or for one ticket type. */
export async function countSeatsTaken(
  db: Db,
  event: Pick<EventRow, 'id' | 'organization_id'>,
  ticketTypeId?: string,
): Promise<number> {
  let query = forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('quantity'), eb.lit(0)).as('seatCount'))
    .where('event_id', '=', event.id)
    .where('status', 'in', SEAT_HOLDING_STATUSES);
  if (ticketTypeId) query = query.where('ticket_type_id', '=', ticketTypeId);
  return Number((await query.executeTakeFirstOrThrow()).seatCount);
}

/**
 * Checks that enough seats are left. The caller must hold the event's lock.
 *
 * @throws {ConnectError} `conflict` whose message has the number of seats left at the event or of
 *   the ticket type
 */
export async function requireCapacity(
  tx: Tx,
  event: EventRow,
  ticketType: TicketTypeRow | undefined,
  quantity: number,
): Promise<void> {
  if (event.capacity !== null) {
    const remainingSeats = event.capacity - (await countSeatsTaken(tx, event));
    if (quantity > remainingSeats) throw capacityExceeded('at this event', remainingSeats);
  }
  if (ticketType && ticketType.capacity !== null) {
    const remainingSeats = ticketType.capacity - (await countSeatsTaken(tx, event, ticketType.id));
    if (quantity > remainingSeats)
      throw capacityExceeded(`of “${ticketType.name}”`, remainingSeats);
  }
}

function capacityExceeded(scope: string, remainingSeats: number): ConnectError {
  const remainingText =
    remainingSeats === 1 ? 'Only one seat is' : `Only ${remainingSeats} seats are`;
  const message =
    remainingSeats <= 0 ? `No seats are left ${scope}.` : `${remainingText} left ${scope}.`;
  return new ConnectError('conflict', message);
}
