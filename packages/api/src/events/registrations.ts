import { notFound, ConnectError } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { isId } from '../id.ts';
import { registrationEvent } from '../webhooks/enqueue-event.ts';
import { requireState } from './event-state.ts';
import { lockEvent, requireRoom, type EventRow, type OneEvent, type Tx } from './places.ts';
import type { RegistrationInput, Registry } from './register.ts';
import {
  holdsPlace,
  next,
  type RegistrationStatus,
  type Transition,
} from './registration-states.ts';
import { findTicketType } from './ticket-types.ts';

export type RegistrationRow = Selectable<Database['registration']>;

/** One registration for one event of an organization. */
export interface OneRegistration {
  organizationId: string;
  eventId: string;
  id: string;
}

export const eventOf = ({ organizationId, eventId }: OneRegistration): OneEvent => ({
  organizationId,
  id: eventId,
});

const query = (db: Db, { organizationId, eventId, id }: OneRegistration) =>
  db
    .selectFrom('registration')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('event_id', '=', eventId)
    .where('id', '=', id);

/** @throws {ConnectError} `not_found` */
export async function findRegistration(db: Db, one: OneRegistration): Promise<RegistrationRow> {
  const row = isId(one.id) && (await query(db, one).executeTakeFirst());
  if (!row) throw notFound('registration', one.id);
  return row;
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockRegistration(tx: Tx, one: OneRegistration): Promise<RegistrationRow> {
  const row = isId(one.id) && (await query(tx, one).forUpdate().executeTakeFirst());
  if (!row) throw notFound('registration', one.id);
  return row;
}

/**
 * Confirms a registration that waited, if there is room for it, and tells of it: this is the
 * moment that `registration.created` names (spec: States and transitions).
 *
 * @throws {ConnectError} `not_found`, `conflict`
 */
export const confirm = ({ db, enqueue }: Registry, one: OneRegistration) =>
  move(db, one, 'confirm', async (tx, event, row) => {
    requireState('register', event);
    if (!holdsPlace(row.status)) {
      const ticketType =
        row.ticket_type_id === null
          ? undefined
          : await findTicketType(tx, event.id, row.ticket_type_id);
      await requireRoom(tx, event, ticketType, row.quantity);
    }
    await setStatus(tx, row, { status: 'confirmed' });
    await enqueue(tx, registrationEvent('registration.created', one.organizationId, row));
  });

/** Lets somebody in. A second time changes nothing, the time of arrival included. */
export const checkIn = ({ db }: Registry, one: OneRegistration) =>
  move(db, one, 'check_in', async (tx, event, row) => {
    requireState('admit', event);
    await setStatus(tx, row, { status: 'checked_in', checked_in_at: new Date() });
  });

/** The wrong name was pressed: they are expected again. */
export const undoCheckIn = ({ db }: Registry, one: OneRegistration) =>
  move(db, one, 'undo_check_in', (tx, _event, row) =>
    setStatus(tx, row, { status: 'confirmed', checked_in_at: null }),
  );

/** Gives the place back. What was paid stays paid until it is refunded. */
export const cancel = ({ db }: Registry, one: OneRegistration) =>
  move(db, one, 'cancel', (tx, _event, row) =>
    setStatus(tx, row, { status: 'cancelled', check_in_hash: null }),
  );

/** Corrects who comes; places and money are settled by what happened. */
export async function correct(
  { db }: Registry,
  one: OneRegistration,
  input: Pick<
    RegistrationInput,
    'attendee_name' | 'attendee_email' | 'attendee_phone' | 'attendee_names'
  >,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockRegistration(tx, one);
    if (input.attendee_names.length > row.quantity) {
      throw new ConnectError('conflict', `There are ${row.quantity} places, and more names.`);
    }
    await tx.updateTable('registration').set(input).where('id', '=', row.id).execute();
  });
}

/**
 * Goes from one state to another under the event's lock and the registration's, in this order
 * everywhere, so that no two wait for each other. Where it is there already, nothing happens.
 */
const move = (
  db: Db,
  one: OneRegistration,
  transition: Transition,
  act: (tx: Tx, event: EventRow, row: RegistrationRow) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, eventOf(one));
    const row = await lockRegistration(tx, one);
    if (next(transition, row.status) !== undefined) await act(tx, event, row);
  });

interface Settling {
  status: RegistrationStatus;
  checked_in_at?: Date | null;
  check_in_hash?: null;
}

async function setStatus(tx: Tx, { id }: RegistrationRow, settled: Settling): Promise<void> {
  await tx.updateTable('registration').set(settled).where('id', '=', id).execute();
}
