import { formatMoney, type Registration } from '@connect-embed/contract';
import { eventState, type EventState } from '@connect-embed/api/resources/events/event-state';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import { STATUS_LABELS } from '@connect-embed/api/resources/events/registration-states';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { badge, type Tone } from '../pages/table.ts';

export const FORMAT_LABELS = {
  in_person: { text: 'In person', hint: 'Attendees come to the location.' },
  online: { text: 'Online', hint: 'Attendees join through the meeting link.' },
  hybrid: {
    text: 'Hybrid',
    hint: 'Attendees come to the location or join through the meeting link.',
  },
} as const;

export const PRICING_LABELS = {
  free: { text: 'Free', hint: 'Attendees pay nothing.' },
  fixed: { text: 'Fixed price', hint: 'Every attendee pays the same.' },
  pay_what_you_want: { text: 'Pay what you want', hint: 'Attendees choose the amount.' },
  ticketed: { text: 'Ticket types', hint: 'Several prices, each with its own capacity.' },
} as const;

const EVENT_STATE_BADGES: Record<EventState, { text: string; tone: Tone }> = {
  draft: { text: 'Draft', tone: 'pending' },
  published: { text: 'Published', tone: 'positive' },
  ended: { text: 'Ended', tone: 'neutral' },
  cancelled: { text: 'Canceled', tone: 'negative' },
};

export const stateBadge = (event: EventRow) => {
  const { text, tone } = EVENT_STATE_BADGES[eventState(event)];
  return badge(text, tone);
};

const REGISTRATION_TONES: Record<Registration['status'], Tone> = {
  pending: 'pending',
  confirmed: 'positive',
  cancelled: 'neutral',
  checked_in: 'positive',
  waitlisted: 'pending',
  refunded: 'neutral',
};

export const statusText = (status: Registration['status']) =>
  STATUS_LABELS[status].charAt(0).toUpperCase() + STATUS_LABELS[status].slice(1);

export const statusBadge = (status: Registration['status']) =>
  badge(statusText(status), REGISTRATION_TONES[status]);

/**
 * Returns the price of one seat, the minimum price, or the pricing mode if the event has no single
 * price.
 */
export function priceText(event: EventRow, currency: string): string {
  const money = (cents: number | null) => formatMoney(cents ?? 0, currency, LOCALE);
  switch (event.pricing_mode) {
    case 'fixed':
      return money(event.price_cents);
    case 'pay_what_you_want':
      return event.pwyw_min_cents
        ? `${PRICING_LABELS.pay_what_you_want.text}, from ${money(event.pwyw_min_cents)}`
        : PRICING_LABELS.pay_what_you_want.text;
    default:
      return PRICING_LABELS[event.pricing_mode].text;
  }
}

/** Formats the number of seats taken: `12 of 40`, or `12` if the capacity is unlimited. */
export const capacityText = (seatsTaken: number, capacity: number | null) =>
  capacity === null ? seatsTaken.toLocaleString(LOCALE) : `${seatsTaken} of ${capacity}`;

/** Formats a number of people: `1 person`, `3 people`. */
export const peopleCountText = (count: number) =>
  count === 1 ? '1 person' : `${count.toLocaleString(LOCALE)} people`;
