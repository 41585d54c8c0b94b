import { z } from 'zod';
import {
  CampaignId,
  Capacity,
  CreatedAt,
  Description,
  FundId,
  Id,
  Name,
  Slug,
  Text,
  Timestamp,
  WholeNumber,
  kind,
} from './field-schemas.ts';
import { ListQuery } from './list.ts';

/** Values of `event_format`: docs/decisions/0002-specification-gaps.md */
export const EVENT_FORMATS = ['in_person', 'online', 'hybrid'] as const;
/** Values of `pricing_mode`: docs/decisions/0002-specification-gaps.md */
export const PRICING_MODES = ['free', 'fixed', 'pay_what_you_want', 'ticketed'] as const;

/** A ticket type of an event (spec: event_ticket_type). */
export const EventTicketType = z.object({
  id: Id,
  object: kind('event_ticket_type'),
  name: Name,
  description: Description,
  price_cents: z.int().describe('Price in minor units.'),
  capacity: Capacity,
  sort_order: z.int().describe('Position in the list.'),
  is_active: z.boolean().describe('Whether it is on sale.'),
});
export type EventTicketType = z.infer<typeof EventTicketType>;

/** A fundraising event that people register for; drafts are included (spec: event). */
export const FundraisingEvent = z.object({
  id: Id,
  object: kind('event'),
  slug: Slug,
  title: z.string().describe('Title for people.'),
  description: Description,
  location: Text.describe('Address of the place.'),
  event_format: z.enum(EVENT_FORMATS).describe('Where the event takes place.'),
  online_meeting_url: Text.describe('URL of the online meeting.'),
  timezone: z.string().describe('IANA time zone of the event.'),
  pricing_mode: z.enum(PRICING_MODES).describe('How registrations are priced.'),
  starts_at: Timestamp.describe('Time when the event starts.'),
  ends_at: Timestamp.nullable().describe('Time when the event ends.'),
  published_at: Timestamp.nullable().describe('Time of publication; null for a draft.'),
  registration_opens_at: Timestamp.nullable().describe('Time from which people can register.'),
  registration_closes_at: Timestamp.nullable().describe('Time until which people can register.'),
  created_at: CreatedAt,
  price_cents: WholeNumber.describe('Price of `fixed` events, in minor units.'),
  pwyw_min_cents: WholeNumber.describe(
    'Smallest price of `pay_what_you_want` events, in minor units.',
  ),
  pwyw_suggested_cents: WholeNumber.describe(
    'Suggested price of `pay_what_you_want` events, in minor units.',
  ),
  capacity: Capacity,
  allow_waitlist: z.boolean().describe('Whether there is a waitlist once all seats are taken.'),
  requires_approval: z.boolean().describe('Whether the organization approves each registration.'),
  published: z.boolean().describe('False for a draft.'),
  campaign_id: CampaignId,
  fund_id: FundId,
  ticket_types: z.array(EventTicketType).describe('Ticket types of `ticketed` events.'),
});
export type FundraisingEvent = z.infer<typeof FundraisingEvent>;

/** The query of `GET /events` (spec: Read endpoints). */
export const EventListQuery = ListQuery.extend({
  published: z
    .enum(['true', 'false'], 'must be true or false.')
    .transform((text) => text === 'true')
    .optional()
    .describe('`true`: only published events; `false`: only drafts.'),
  // There is no filter for past events.
  upcoming: z
    .literal('true', 'may only be true.')
    .optional()
    .describe('Only events that start now or later; not those that have begun.'),
});
export type EventListQuery = z.infer<typeof EventListQuery>;
