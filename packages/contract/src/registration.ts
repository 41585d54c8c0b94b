import { z } from 'zod';
import { CreatedAt, Id, Text, Timestamp, kind } from './field-schemas.ts';
import { oneOf } from './list-filters.ts';
import { ListQuery } from './list.ts';

/** Every state of a registration (spec: States and transitions). */
export const REGISTRATION_STATUSES = [
  'pending',
  'confirmed',
  'cancelled',
  'checked_in',
  'waitlisted',
  'refunded',
] as const;

/** A registration for an event; never contains the check-in credential (spec: registration). */
export const Registration = z.object({
  id: Id,
  object: kind('registration'),
  event_id: z.string().describe('Id of the event.'),
  ticket_type_id: Text.describe('Id of the ticket type; null for none.'),
  attendee_name: Text.describe('Name of the person who registered.'),
  attendee_email: Text.describe('Email address of the person who registered.'),
  attendee_phone: Text.describe('Phone number of the person who registered.'),
  status: z.enum(REGISTRATION_STATUSES).describe('State of the registration.'),
  quantity: z.int().min(1).describe('Number of seats.'),
  attendee_names: z.array(z.string()).describe('Names of all attendees.'),
  amount_paid_cents: z.int().describe('Paid amount in minor units.'),
  refunded_cents: z.int().describe('Refunded amount in minor units.'),
  refunded_at: Timestamp.nullable().describe('Time of the refund.'),
  checked_in_at: Timestamp.nullable().describe('Time of the check-in.'),
  created_at: CreatedAt,
  source: z.string().describe('Where it comes from: `embed`, `import` or `dashboard`.'),
});
export type Registration = z.infer<typeof Registration>;

/** The query of `GET /events/{id}/registrations` (spec: Read endpoints). */
export const RegistrationListQuery = ListQuery.extend({
  status: oneOf(REGISTRATION_STATUSES).describe('Only resources with this status.'),
});
export type RegistrationListQuery = z.infer<typeof RegistrationListQuery>;
