import type { FundraisingEvent, Registration } from '@connect-embed/contract';
import { firstPage, lastPage, type Examples } from './example.ts';

const GALA: FundraisingEvent = {
  id: 'event_gala',
  object: 'event',
  slug: 'harvest-gala',
  title: 'Harvest Gala',
  description: 'Supper, music and an auction for the new kitchen.',
  location: 'Custom House Hall, 12 Wharf Street, Portland, ME',
  event_format: 'in_person',
  online_meeting_url: null,
  timezone: 'America/New_York',
  pricing_mode: 'ticketed',
  starts_at: '2026-12-31T23:00:00.000Z',
  ends_at: '2027-01-01T03:00:00.000Z',
  published_at: '2026-10-04T14:00:00.000Z',
  registration_opens_at: '2026-10-09T14:00:00.000Z',
  registration_closes_at: '2026-12-28T22:00:00.000Z',
  created_at: '2026-10-04T14:00:00.000Z',
  price_cents: null,
  pwyw_min_cents: null,
  pwyw_suggested_cents: null,
  capacity: 180,
  allow_waitlist: true,
  requires_approval: false,
  published: true,
  campaign_id: 'camp_kitchen',
  fund_id: 'fund_kitchen',
  ticket_types: [
    {
      id: 'tkt_seat',
      object: 'event_ticket_type',
      name: 'One seat',
      description: null,
      price_cents: 8500,
      capacity: null,
      sort_order: 2,
      is_active: true,
    },
  ],
};

const REGISTRATION: Registration = {
  id: 'reg_Tn7WkQ4xZc2RmLv9YbHd',
  object: 'registration',
  event_id: GALA.id,
  ticket_type_id: 'tkt_seat',
  attendee_name: 'Leila Haddad',
  attendee_email: 'leila.haddad@example.net',
  attendee_phone: null,
  status: 'confirmed',
  quantity: 2,
  attendee_names: ['Leila Haddad', 'Omar Haddad'],
  amount_paid_cents: 17_000,
  refunded_cents: 0,
  refunded_at: null,
  checked_in_at: null,
  created_at: '2026-11-02T17:31:44.000Z',
  source: 'embed',
};

export const EVENT_EXAMPLES: Examples = {
  listEvents: [{ parameters: { upcoming: true }, response: lastPage([GALA]) }],
  getEvent: [{ parameters: { id: GALA.id }, response: GALA }],
  listRegistrations: [
    {
      parameters: { id: GALA.id, status: 'confirmed', limit: 1 },
      response: firstPage([REGISTRATION]),
    },
  ],
};
