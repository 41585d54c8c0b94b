import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';

const DAY_MS = 86_400_000;

export type SeedEvent = Insertable<Database['event']> & {
  id: string;
  starts_at: Date;
  created_at: Date;
  cancelled_at?: Date;
};
export type SeedTicketType = Insertable<Database['event_ticket_type']>;

/** Returns the time at a full hour (UTC), `days` days from today. */
const dayAt = (now: Date, days: number, hour: number) => {
  const day = new Date(now.getTime() + days * DAY_MS);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
};

/** Returns fields that all events have; a seed event can override them. */
const common = (
  now: Date,
  days: number,
  hour: number,
  hours: number,
  createdDaysBefore: number,
) => ({
  organization_id: 'org_harbor',
  timezone: 'America/New_York',
  starts_at: dayAt(now, days, hour),
  ends_at: dayAt(now, days, hour + hours),
  created_at: dayAt(now, Math.min(days, 0) - createdDaysBefore, 15),
  published_at: dayAt(now, Math.min(days, 0) - createdDaysBefore + 1, 14),
});

/** Events of every format and pricing mode: past, upcoming, cancelled and draft. */
export const EVENTS = (now: Date): SeedEvent[] => [
  {
    ...common(now, 38, 23, 4, 50),
    id: 'event_gala',
    slug: 'harvest-gala',
    title: 'Harvest Gala',
    description: 'Supper, music and an auction for the new kitchen.',
    location: 'Custom House Hall, 12 Wharf Street, Portland, ME',
    event_format: 'in_person',
    pricing_mode: 'ticketed',
    registration_opens_at: dayAt(now, -45, 14),
    registration_closes_at: dayAt(now, 35, 22),
    capacity: 180,
    allow_waitlist: true,
    campaign_id: 'camp_kitchen',
    fund_id: 'fund_kitchen',
  },
  {
    ...common(now, 12, 17, 2, 20),
    id: 'event_class',
    slug: 'cook-with-what-is-there',
    title: 'Cook With What Is There',
    description: 'An hour at the stove with our cooks; here, or from your own kitchen.',
    location: 'Harbor Street Food Bank, 48 Harbor Street, Portland, ME',
    event_format: 'hybrid',
    online_meeting_url: 'https://meet.harborstreet.example/cook',
    pricing_mode: 'pay_what_you_want',
    pwyw_min_cents: 0,
    pwyw_suggested_cents: 1500,
    capacity: 24,
    allow_waitlist: true,
    fund_id: 'fund_general',
  },
  {
    ...common(now, 5, 23, 1, 14),
    id: 'event_briefing',
    slug: 'winter-briefing',
    title: 'How We Get Through the Winter',
    description: 'What is on the shelves, what is missing, and your questions.',
    event_format: 'online',
    online_meeting_url: 'https://meet.harborstreet.example/winter',
    pricing_mode: 'free',
    campaign_id: 'camp_winter',
  },
  {
    ...common(now, -21, 14, 3, 60),
    id: 'event_run',
    slug: 'turkey-trot',
    title: 'Turkey Trot 5k',
    description: 'Run, walk or push a stroller around Back Cove.',
    location: 'Back Cove Trail, Portland, ME',
    event_format: 'in_person',
    pricing_mode: 'fixed',
    price_cents: 2500,
    capacity: 300,
    fund_id: 'fund_meals',
  },
  {
    ...common(now, 70, 16, 3, 2),
    id: 'event_volunteers',
    slug: 'volunteers-breakfast',
    title: 'Volunteers’ Breakfast',
    event_format: 'in_person',
    pricing_mode: 'free',
    published_at: null,
    requires_approval: true,
  },
  {
    ...common(now, 19, 15, 4, 40),
    id: 'event_cookout',
    slug: 'cookout-on-the-pier',
    title: 'Cookout on the Pier',
    description: 'The pier is closed for repairs. We will be back in the summer.',
    location: 'Maine State Pier, Portland, ME',
    event_format: 'in_person',
    pricing_mode: 'fixed',
    price_cents: 1800,
    capacity: 120,
    published_at: null,
    cancelled_at: dayAt(now, -2, 14),
    fund_id: 'fund_general',
  },
  {
    ...common(now, 9, 22, 2, 15),
    id: 'event_lantern',
    organization_id: 'org_lantern',
    slug: 'poems-by-lamplight',
    title: 'Poems by Lamplight',
    location: 'Lantern Reading Room',
    event_format: 'in_person',
    pricing_mode: 'free',
    capacity: 20,
  },
  {
    ...common(now, 30, 22, 2, 3),
    id: 'event_lantern_draft',
    organization_id: 'org_lantern',
    slug: 'night-of-letters',
    title: 'Night of Letters',
    event_format: 'online',
    pricing_mode: 'fixed',
    price_cents: 800,
    published_at: null,
  },
];

/** Ticket types of the gala. Early-bird tickets are sold out and inactive. */
export const TICKET_TYPES: SeedTicketType[] = [
  {
    id: 'tkt_early',
    event_id: 'event_gala',
    name: 'Early bird',
    description: 'Until thirty days before.',
    price_cents: 6000,
    capacity: 40,
    sort_order: 1,
    is_active: false,
  },
  {
    id: 'tkt_seat',
    event_id: 'event_gala',
    name: 'One seat',
    price_cents: 8500,
    sort_order: 2,
  },
  {
    id: 'tkt_table',
    event_id: 'event_gala',
    name: 'Table of eight',
    description: 'Your name on the table, and on the wall.',
    price_cents: 64_000,
    capacity: 24,
    sort_order: 3,
  },
];
