import { ConnectError } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { registrationEvent } from '../../webhooks/enqueue-event.ts';
import { requireState } from './event-state.ts';
import { lockEvent, requireCapacity, type EventRow, type EventRef } from './capacity.ts';
import {
  lockRegistration,
  type RegistrationRef,
  type RegistrationRow,
} from '../../payments/registrations/find-registration.ts';
import type { RegistrationInput, RegistrationDeps } from './register.ts';
import {
  holdsSeat,
  nextStatus,
  type RegistrationStatus,
  type Transition,
} from './registration-states.ts';
import { findTicketType } from './ticket-types.ts';

const eventRefOf = ({ organizationId, eventId }: RegistrationRef): EventRef => ({
  organizationId,
  id: eventId,
});

/**
 * Confirms a pending or waitlisted registration if seats are left, and enqueues
 * `registration.created` (spec: States and transitions).
 *
 * @throws {ConnectError} `not_found`, `conflict`
 */
export const confirmRegistration = ({ db, enqueue }: RegistrationDeps, ref: RegistrationRef) =>
  transitionRegistration(db, ref, 'confirm', async (tx, event, row) => {
    requireState('register', event);
    if (!holdsSeat(row.status)) {
      const ticketType =
        row.ticket_type_id === null
          ? undefined
          : await findTicketType(tx, event.id, row.ticket_type_id);
      await requireCapacity(tx, event, ticketType, row.quantity);
    }
    await setStatus(tx, row, { status: 'confirmed' });
    await enqueue(tx, registrationEvent('registration.created', ref.organizationId, row));
  });

/** Checks in the attendees of a registration. A repeated call does not change the check-in time. */
export const checkIn = ({ db }: RegistrationDeps, ref: RegistrationRef) =>
  transitionRegistration(db, ref, 'check_in', async (tx, event, row) => {
    requireState('admit', event);
    await setStatus(tx, row, { status: 'checked_in', checked_in_at: new Date() });
  });

/** Reverts a check-in that was a mistake. */
export const undoCheckIn = ({ db }: RegistrationDeps, ref: RegistrationRef) =>
  transitionRegistration(db, ref, 'undo_check_in', (tx, _event, row) =>
    setStatus(tx, row, { status: 'confirmed', checked_in_at: null }),
  );

/** Cancels a registration and releases its seats. A payment remains until it is refunded. */
export const cancelRegistration = ({ db }: RegistrationDeps, ref: RegistrationRef) =>
  transitionRegistration(db, ref, 'cancel', (tx, _event, row) =>
    setStatus(tx, row, { status: 'cancelled', check_in_hash: null }),
  );

/** Updates names and contact data. The number of seats and the amount paid cannot be edited. */
export async function updateAttendee(
  { db }: RegistrationDeps,
  ref: RegistrationRef,
  input: Pick<
    RegistrationInput,
    'attendee_name' | 'attendee_email' | 'attendee_phone' | 'attendee_names'
  >,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockRegistration(tx, ref);
    if (input.attendee_names.length > row.quantity) {
      throw new ConnectError(
        'conflict',
        `This registration has ${row.quantity} seats. Enter at most as many names.`,
      );
    }
    await forOrganization(tx, ref.organizationId)
      .updateTable('registration')
      .set(input)
      .where('id', '=', row.id)
      .execute();
  });
}

/**
 * Runs a transition under the locks of the event and the registration, always acquired in this
 * order to prevent deadlocks. Does nothing if the registration already has the new status.
 */
const transitionRegistration = (
  db: Db,
  ref: RegistrationRef,
  transition: Transition,
  operation: (tx: Tx, event: EventRow, row: RegistrationRow) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, eventRefOf(ref));
    const row = await lockRegistration(tx, ref);
    if (nextStatus(transition, row.status) !== undefined) await operation(tx, event, row);
  });

interface StatusChange {
  status: RegistrationStatus;
  checked_in_at?: Date | null;
  check_in_hash?: null;
}

async function setStatus(
  tx: Tx,
  { id, organization_id }: RegistrationRow,
  change: StatusChange,
): Promise<void> {
  await forOrganization(tx, organization_id)
    .updateTable('registration')
    .set(change)
    .where('id', '=', id)
    .execute();
}
