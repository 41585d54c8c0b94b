import type { RegistrationListQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { RequestDeps } from '../../payments/deps.ts';
import { iso, isoOrNull, objectType } from '../resource-columns.ts';
import { ListReader } from '../lists/list.ts';
import type { OrganizationScope } from '../../db/organization-scope.ts';

/** Creates the reader of an event's registrations, which can be limited to one status. */
export const registrationList = (deps: RequestDeps) =>
  new ListReader<{ event_id: string; status: NonNullable<RegistrationListQuery['status']> }>(deps, {
    table: 'registration',
    select: selectRegistrations,
    createdAtField: 'created_at',
    filters: {
      event_id: (value) => sql`registration.event_id = ${value}`,
      status: (value) => sql`registration.status = ${value}`,
    },
  });

/**
 * Selects the fields of a registration. Columns are listed explicitly, because the check-in
 * credential, processor ids and tax fields of the table must never be returned (API specification,
 * section `registration`).
 */
const selectRegistrations = (organization: OrganizationScope) =>
  organization
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
