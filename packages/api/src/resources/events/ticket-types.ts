import { ConnectError, invalidRequest, type EventTicketType } from '@connect-embed/contract';
import type { Db, Tx } from '../../db/schema.ts';
import { isForeignKeyViolation } from '../../db/constraint-errors.ts';
import { findById, newId } from '../../lib/id.ts';
import { changeEvent, countSeatsTaken, type EventRef, type TicketTypeRow } from './capacity.ts';

/** Fields of a ticket type that an organization can edit. */
export type TicketTypeInput = Omit<EventTicketType, 'id' | 'object'>;

export const listTicketTypes = (db: Db, eventId: string): Promise<TicketTypeRow[]> =>
  db
    .selectFrom('event_ticket_type')
    .selectAll()
    .where('event_id', '=', eventId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();

/**
 * Adds a ticket type to an event and returns its id.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the event is not sold by ticket type or cannot
 *   be edited
 */
export const addTicketType = (db: Db, ref: EventRef, input: TicketTypeInput): Promise<string> =>
  changeEvent(db, ref, 'edit', async (tx, event) => {
    if (event.pricing_mode !== 'ticketed') {
      const message = 'This event is not sold by ticket type. Change its pricing first.';
      throw new ConnectError('conflict', message);
    }
    const id = newId('tkt');
    await tx
      .insertInto('event_ticket_type')
      .values({ id, event_id: event.id, ...input })
      .execute();
    return id;
  });

/**
 * Updates a ticket type.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the event cannot be edited; `invalid_request`
 *   naming `capacity` if more seats are taken
 */
export const updateTicketType = (
  db: Db,
  ref: EventRef,
  ticketTypeId: string,
  input: TicketTypeInput,
): Promise<void> =>
  changeEvent(db, ref, 'edit', async (tx, event) => {
    const { id } = await findTicketType(tx, event.id, ticketTypeId);
    const seatsTaken = await countSeatsTaken(tx, event, id);
    if (input.capacity !== null && input.capacity < seatsTaken) {
      throw invalidRequest(
        'capacity',
        `must be at least ${seatsTaken}, the number of seats taken.`,
      );
    }
    await tx.updateTable('event_ticket_type').set(input).where('id', '=', id).execute();
  });

/**
 * Deletes a ticket type.
 *
 * @throws {ConnectError} `not_found`; `conflict` if a registration has this ticket type
 */
export const deleteTicketType = (db: Db, ref: EventRef, ticketTypeId: string): Promise<void> =>
  changeEvent(db, ref, 'edit', async (tx, event) => {
    const { id } = await findTicketType(tx, event.id, ticketTypeId);
    try {
      await tx.deleteFrom('event_ticket_type').where('id', '=', id).execute();
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      const message = 'This ticket type has registrations. Take it off sale instead.';
      throw new ConnectError('conflict', message, { code: 'resource_in_use', cause });
    }
  });

/**
 * Finds a ticket type of an event.
 *
 * @throws {ConnectError} `not_found`, also for a ticket type of another event
 */
export async function findTicketType(tx: Tx, eventId: string, id: string): Promise<TicketTypeRow> {
  return await findById(
    'ticket type',
    id,
    tx
      .selectFrom('event_ticket_type')
      .selectAll()
      .where('event_id', '=', eventId)
      .where('id', '=', id),
  );
}
