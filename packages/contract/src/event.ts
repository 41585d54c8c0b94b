import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';
import { ListQuery } from './list.ts';

/** Values of `event_format`: docs/decisions/0002-specification-gaps.md */
export const EVENT_FORMATS = ['in_person', 'online', 'hybrid'] as const;
/** Values of `pricing_mode`: docs/decisions/0002-specification-gaps.md */
export const PRICING_MODES = ['free', 'fixed', 'pay_what_you_want', 'ticketed'] as const;

/** A ticket type of an event (spec: event_ticket_type). */
export const EventTicketType = z.object({
  id: z.string(),
  object: z.literal('event_ticket_type'),
  name: z.string(),
  description: Text,
  price_cents: z.int(),
  /** Null if the number of tickets is unlimited. */
  capacity: z.int().nullable(),
  sort_order: z.int(),
  is_active: z.boolean(),
});
export type EventTicketType = z.infer<typeof EventTicketType>;

/** A fundraising event that people register for; drafts are included (spec: event). */
export const FundraisingEvent = z.object({
  id: z.string(),
  object: z.literal('event'),
  slug: z.string(),
  title: z.string(),
  description: Text,
  location: Text,
  event_format: z.enum(EVENT_FORMATS),
  online_meeting_url: Text,
  timezone: z.string(),
  pricing_mode: z.enum(PRICING_MODES),
  starts_at: Timestamp,
  ends_at: Timestamp.nullable(),
  published_at: Timestamp.nullable(),
  registration_opens_at: Timestamp.nullable(),
  registration_closes_at: Timestamp.nullable(),
  created_at: Timestamp,
  price_cents: z.int().nullable(),
  pwyw_min_cents: z.int().nullable(),
  pwyw_suggested_cents: z.int().nullable(),
  capacity: z.int().nullable(),
  allow_waitlist: z.boolean(),
  requires_approval: z.boolean(),
  published: z.boolean(),
  campaign_id: Text,
  fund_id: Text,
  ticket_types: z.array(EventTicketType),
});
export type FundraisingEvent = z.infer<typeof FundraisingEvent>;

/** The query of `GET /events` (spec: Read endpoints). */
export const EventListQuery = ListQuery.extend({
  /** True returns published events only, false drafts only. */
  published: z
    .enum(['true', 'false'], 'must be true or false.')
    .transform((text) => text === 'true')
    .optional(),
  /** Returns only events that start now or later; there is no filter for past events. */
  upcoming: z.literal('true', 'may only be true.').optional(),
});
export type EventListQuery = z.infer<typeof EventListQuery>;
