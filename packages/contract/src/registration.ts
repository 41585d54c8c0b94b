import { z } from 'zod';
import { Text, Timestamp } from './field.ts';

/** Every state of a registration (spec: States and transitions). */
export const REGISTRATION_STATUSES = [
  'pending',
  'confirmed',
  'cancelled',
  'checked_in',
  'waitlisted',
  'refunded',
] as const;

/** A place at an event; never carries the check-in credential (spec: registration). */
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
