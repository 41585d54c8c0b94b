import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';
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
  id: z.string(),
  object: z.literal('registration'),
  event_id: z.string(),
  ticket_type_id: Text,
  attendee_name: Text,
  attendee_email: Text,
  attendee_phone: Text,
  status: z.enum(REGISTRATION_STATUSES),
  quantity: z.int().min(1),
  attendee_names: z.array(z.string()),
  amount_paid_cents: z.int(),
  refunded_cents: z.int(),
  refunded_at: Timestamp.nullable(),
  checked_in_at: Timestamp.nullable(),
  created_at: Timestamp,
  source: z.string(),
});
export type Registration = z.infer<typeof Registration>;

/** The query of `GET /events/{id}/registrations` (spec: Read endpoints). */
export const RegistrationListQuery = ListQuery.extend({
  status: z
    .enum(REGISTRATION_STATUSES, `must be one of ${REGISTRATION_STATUSES.join(', ')}.`)
    .optional(),
});
export type RegistrationListQuery = z.infer<typeof RegistrationListQuery>;
