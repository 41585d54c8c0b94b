import type { RegistrationListQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { RequestDeps } from '../../payments/deps.ts';
import type { Db } from '../../db/schema.ts';
import { iso, isoOrNull, objectType } from '../resource-columns.ts';
import { createList } from '../lists/list.ts';

/** Lists the registrations of an event, optionally of one status. */
export const listRegistrations = (deps: RequestDeps) =>
  createList<{ event_id: string; status: NonNullable<RegistrationListQuery['status']> }>(deps, {
    table: 'registration',
    select: selectRegistrations,
    createdAtField: 'created_at',
    filters: {
      event_id: (value) => sql`registration.event_id = ${value}`,
      status: (value) => sql`registration.status = ${value}`,
    },
  });

/**
 * Columns are listed explicitly: the check-in credential, processor ids and tax fields of the table
 * must never be returned (spec: registration).
 */
const selectRegistrations = (db: Db) =>
  db
    .selectFrom('registration')
    .select([
      'registration.id',
      objectType('registration'),
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
      isoOrNull('registration.refunded_at').as('refunded_at'),
      isoOrNull('registration.checked_in_at').as('checked_in_at'),
      iso('registration.created_at').as('created_at'),
      'registration.source',
    ]);
