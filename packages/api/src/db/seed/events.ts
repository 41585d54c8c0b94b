import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';

const DAY_MS = 86_400_000;

export type SeedEvent = Insertable<Database['event']> & {
  id: string;
  starts_at: Date;
  created_at: Date;
  cancelled_at?: Date;
};
type SeedTicketType = Insertable<Database['event_ticket_type']>;

/** Returns the time at a full hour (UTC), `days` days from today. */
const dayAt = (now: Date, days: number, hour: number) => {
  const day = new Date(now.getTime() + days * DAY_MS);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
};

/** A full hour (UTC) on a day that is counted from today. */
interface DayTime {
  day: number;
  hour: number;
}

/** A seed event, with its times relative to today. */
interface EventTemplate extends Omit<
  SeedEvent,
  'organization_id' | 'timezone' | 'starts_at' | 'ends_at' | 'created_at'
> {
  /** The default is `org_harbor`. */
  organization_id?: string;
  starts: DayTime;
  /** Duration. */
  hours: number;
  /** Days from the creation of the event to its start or, for an upcoming event, to today. */
  createdDaysBefore: number;
  /** Whether the event was published on the day after it was created. The default is true. */
  isPublished?: boolean;
  registrationOpens?: DayTime;
  registrationCloses?: DayTime;
  cancelled?: DayTime;
}

/** Events of every format and pricing mode: past, upcoming, cancelled and draft. */
const EVENT_TEMPLATES: readonly EventTemplate[] = [
  {
    starts: { day: 38, hour: 23 },
    hours: 4,
    createdDaysBefore: 50,
    id: 'event_gala',
    slug: 'harvest-gala',
    title: 'Harvest Gala',
    description: 'Supper, music and an auction for the new kitchen.',
    location: 'Custom House Hall, 12 Wharf Street, Portland, ME',
    event_format: 'in_person',
    pricing_mode: 'ticketed',
    registrationOpens: { day: -45, hour: 14 },
    registrationCloses: { day: 35, hour: 22 },
    capacity: 180,
    allow_waitlist: true,
    campaign_id: 'camp_kitchen',
    fund_id: 'fund_kitchen',
  },
  {
    starts: { day: 12, hour: 17 },
    hours: 2,
    createdDaysBefore: 20,
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
    starts: { day: 5, hour: 23 },
    hours: 1,
    createdDaysBefore: 14,
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
    starts: { day: -21, hour: 14 },
    hours: 3,
    createdDaysBefore: 60,
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
    starts: { day: 70, hour: 16 },
    hours: 3,
    createdDaysBefore: 2,
    id: 'event_volunteers',
    slug: 'volunteers-breakfast',
    title: 'Volunteers’ Breakfast',
    event_format: 'in_person',
    pricing_mode: 'free',
    isPublished: false,
    requires_approval: true,
  },
  {
    starts: { day: 19, hour: 15 },
    hours: 4,
    createdDaysBefore: 40,
    id: 'event_cookout',
    slug: 'cookout-on-the-pier',
    title: 'Cookout on the Pier',
    description: 'The pier is closed for repairs. We will be back in the summer.',
    location: 'Maine State Pier, Portland, ME',
    event_format: 'in_person',
    pricing_mode: 'fixed',
    price_cents: 1800,
    capacity: 120,
    isPublished: false,
    cancelled: { day: -2, hour: 14 },
    fund_id: 'fund_general',
  },
  {
    starts: { day: 9, hour: 22 },
    hours: 2,
    createdDaysBefore: 15,
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
    starts: { day: 30, hour: 22 },
    hours: 2,
    createdDaysBefore: 3,
    id: 'event_lantern_draft',
    organization_id: 'org_lantern',
    slug: 'night-of-letters',
    title: 'Night of Letters',
    event_format: 'online',
    pricing_mode: 'fixed',
    price_cents: 800,
    isPublished: false,
  },
];

export const EVENTS = (now: Date): SeedEvent[] =>
  EVENT_TEMPLATES.map((template) => createEvent(now, template));

function createEvent(now: Date, template: EventTemplate): SeedEvent {
  const { starts, hours, createdDaysBefore, isPublished = true, ...others } = template;
  const { registrationOpens, registrationCloses, cancelled, ...columns } = others;
  const createdDay = Math.min(starts.day, 0) - createdDaysBefore;
  const timeAt = ({ day, hour }: DayTime) => dayAt(now, day, hour);
  return {
    organization_id: 'org_harbor',
    timezone: 'America/New_York',
    ...columns,
    starts_at: timeAt(starts),
    ends_at: dayAt(now, starts.day, starts.hour + hours),
    created_at: dayAt(now, createdDay, 15),
    published_at: isPublished ? dayAt(now, createdDay + 1, 14) : null,
    ...(registrationOpens && { registration_opens_at: timeAt(registrationOpens) }),
    ...(registrationCloses && { registration_closes_at: timeAt(registrationCloses) }),
    ...(cancelled && { cancelled_at: timeAt(cancelled) }),
  };
}

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
