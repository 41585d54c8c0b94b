import { ConnectError, invalidRequest } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import { registrationEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { requireState } from './event-state.ts';
import {
  lockEvent,
  requireCapacity,
  type EventRow,
  type EventRef,
  type TicketTypeRow,
  type Tx,
} from './capacity.ts';
import { findTicketType } from './ticket-types.ts';

/** Places that one person may take at once. */
export const MAX_QUANTITY = 100;

/** Who comes, and how many. */
export interface RegistrationInput {
  /** Of an event that is sold by ticket type; null at every other. */
  ticket_type_id: string | null;
  attendee_name: string;
  attendee_email: string | null;
  attendee_phone: string | null;
  /** Everybody's names, as far as they are known; the first is the attendee's own. */
  attendee_names: string[];
  quantity: number;
  /** What was paid outside of the processor: cash, a cheque, an invoice. */
  amount_paid_cents: number;
  status: 'confirmed' | 'pending' | 'waitlisted';
}

/** Where registrations are kept, and who is told of them. */
export interface RegistrationDeps {
  db: Db;
  enqueue: EnqueueEvent;
}

/**
 * Enters a registration that an organization took itself.
 *
 * The event's lock makes the places exact: of fifty entries for ten seats, ten get one. Entered as
 * confirmed it is told of at once (spec: Events), otherwise when it becomes confirmed.
 *
 * @returns its id
 * @throws {ConnectError} `not_found`; `conflict` when the event is full or not open;
 *   `invalid_request` naming the field
 */
export const createRegistration = (
  { db, enqueue }: RegistrationDeps,
  ref: EventRef,
  input: RegistrationInput,
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, ref);
    requireState('register', event);
    const ticketType = await ticketTypeOf(tx, event, input.ticket_type_id);
    if (input.status !== 'waitlisted') await requireCapacity(tx, event, ticketType, input.quantity);
    else if (!event.allow_waitlist) throw new ConnectError('conflict', 'It has no waitlist.');
    const id = newId('reg');
    await tx
      .insertInto('registration')
      .values({
        ...input,
        id,
        organization_id: event.organization_id,
        event_id: event.id,
        source: 'dashboard',
      })
      .execute();
    if (input.status === 'confirmed') {
      const registration = { id, event_id: event.id };
      await enqueue(
        tx,
        registrationEvent('registration.created', event.organization_id, registration),
      );
    }
    return id;
  });

async function ticketTypeOf(
  tx: Tx,
  event: EventRow,
  id: string | null,
): Promise<TicketTypeRow | undefined> {
  if (event.pricing_mode !== 'ticketed') {
    if (id !== null) throw invalidRequest('ticket_type_id', 'this event has no ticket types.');
    return undefined;
  }
  if (id === null) throw invalidRequest('ticket_type_id', 'choose a ticket type.');
  const ticketType = await findTicketType(tx, event.id, id).catch((error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    throw invalidRequest('ticket_type_id', 'this event has no such ticket type.');
  });
  if (ticketType.is_active) return ticketType;
  throw invalidRequest('ticket_type_id', `“${ticketType.name}” is not offered at the moment.`);
}
