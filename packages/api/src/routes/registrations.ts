import type { Registration } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';

/**
 * The columns that are shown, each by its name: the check-in credential, the processor's ids and
 * the tax fields are in the table and never leave it (spec: registration).
 */
export const selectRegistrations = (db: Db) =>
  db
    .selectFrom('registration')
    .select([
      'registration.id',
      'registration.event_id',
      'registration.ticket_type_id',
      'registration.attendee_name',
      'registration.attendee_email',
      'registration.attendee_phone',
      'registration.status',
      'registration.quantity',
      'registration.attendee_names',
      'registration.amount_paid_cents',
      'registration.refunded_cents',
      'registration.refunded_at',
      'registration.checked_in_at',
      'registration.created_at',
      'registration.source',
    ]);

type RegistrationRow = Awaited<
  ReturnType<ReturnType<typeof selectRegistrations>['execute']>
>[number];

export const toRegistration = (row: RegistrationRow): Registration => ({
  ...row,
  object: 'registration',
  refunded_at: row.refunded_at && row.refunded_at.toISOString(),
  checked_in_at: row.checked_in_at && row.checked_in_at.toISOString(),
  created_at: row.created_at.toISOString(),
});
