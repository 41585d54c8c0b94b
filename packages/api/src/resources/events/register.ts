import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { newId } from '../../lib/id.ts';
import { registrationEvent, type EnqueueEvent } from '../../webhooks/enqueue-event.ts';
import {
  changeEvent,
  requireCapacity,
  type EventRow,
  type EventRef,
  type TicketTypeRow,
} from './capacity.ts';
import { findTicketType } from './ticket-types.ts';

/** Maximum number of seats of one registration. */
export const MAX_QUANTITY = 100;

/** A registration that an organization enters in the dashboard. */
export interface RegistrationInput {
  /** Null unless the event's pricing mode is `ticketed`. */
  ticket_type_id: string | null;
  attendee_name: string;
  attendee_email: string | null;
  attendee_phone: string | null;
  /** The known names of the attendees. The first is the name of the contact. */
  attendee_names: string[];
  quantity: number;
  /** Amount paid outside of Stripe: cash, a cheque or an invoice. */
  amount_paid_cents: number;
  status: 'confirmed' | 'pending' | 'waitlisted';
}

/**
 * Dependencies of the functions that change registrations: the database and the queue of webhook
 * events.
 */
export interface RegistrationDeps {
  db: Db;
  enqueue: EnqueueEvent;
}

/**
 * Creates a registration that an organization entered in the dashboard.
 *
 * The event's lock prevents overbooking: of fifty concurrent requests for ten seats, ten succeed.
 * For a confirmed registration, the webhook event `registration.created` is enqueued at once (spec:
 * Events), for any other when it becomes confirmed.
 *
 * @returns the id of the registration
 * @throws {ConnectError} `not_found`; `conflict` if the event is full or not open;
 *   `invalid_request` naming the field
 */
export const createRegistration = (
  { db, enqueue }: RegistrationDeps,
  ref: EventRef,
  input: RegistrationInput,
): Promise<string> =>
  changeEvent(db, ref, 'register', async (tx, event) => {
    const ticketType = await findActiveTicketType(tx, event, input.ticket_type_id);
    if (input.status !== 'waitlisted') await requireCapacity(tx, event, ticketType, input.quantity);
    else if (!event.allow_waitlist)
      throw new ConnectError('conflict', 'This event has no waitlist.');
    const id = newId('reg');
    await forOrganization(tx, event.organization_id)
      .insertInto('registration', {
        ...input,
        id,
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

async function findActiveTicketType(
  tx: Tx,
  event: EventRow,
  id: string | null,
): Promise<TicketTypeRow | undefined> {
  if (event.pricing_mode !== 'ticketed') {
    if (id !== null)
      throw invalidRequest('ticket_type_id', 'must be null: this event has no ticket types.');
    return undefined;
  }
  if (id === null) throw invalidRequest('ticket_type_id', 'is required: choose a ticket type.');
  const ticketType = await findTicketType(tx, event.id, id).catch((error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    throw invalidRequest('ticket_type_id', 'does not belong to this event.');
  });
  if (ticketType.is_active) return ticketType;
  throw invalidRequest(
    'ticket_type_id',
    `must be that of a ticket type on sale, and “${ticketType.name}” is not.`,
  );
}
