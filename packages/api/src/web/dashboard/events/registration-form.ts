import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { EventRow, TicketTypeRow } from '../../../resources/events/capacity.ts';
import { MAX_QUANTITY, type RegistrationInput } from '../../../resources/events/register.ts';
import type { RegistrationRow } from '../../../payments/registrations/find-registration.ts';
import { LOCALE } from '../../layout.ts';
import type { Html } from '../../../lib/html.ts';
import { amount, textArea, input, radios, select } from '../field-view.ts';
import type { FormState, FormFields } from '../fields.ts';
import { priceText } from './event-labels.ts';

const STATUSES = {
  confirmed: {
    text: 'Confirmed',
    hint: 'The seats are taken. Subscribed webhook endpoints are notified.',
  },
  pending: {
    text: 'Pending',
    hint: 'The seats are held until a team member confirms the registration.',
  },
  waitlisted: { text: 'On the waitlist', hint: 'No seats are held.' },
} as const;

type Status = keyof typeof STATUSES;

const statusesOf = ({ allow_waitlist }: EventRow) =>
  (Object.keys(STATUSES) as Status[]).filter((status) => status !== 'waitlisted' || allow_waitlist);

/** Initial values of the form for a new registration. */
export const initialRegistration = (event: EventRow): Record<string, string> => ({
  quantity: '1',
  status: event.requires_approval ? 'pending' : 'confirmed',
});

/**
 * Renders the fields of the form for a new registration: attendee, ticket type, seats, amount paid
 * and status.
 */
export const registrationFields = (
  draft: FormState,
  event: EventRow,
  tickets: readonly TicketTypeRow[],
  currency: string,
): Html => {
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  return html`${attendeeFields(draft)}
    ${
      event.pricing_mode === 'ticketed'
        ? select(draft, { name: 'ticket_type_id', label: 'Ticket type', required: true }, [
            { value: '', text: 'Select a ticket type' },
            ...tickets
              .filter(({ is_active }) => is_active)
              .map(({ id, name, price_cents }) => ({
                value: id,
                text: `${name}, ${money(price_cents)}`,
              })),
          ])
        : ''
    }
    <div class="two-columns">
      ${input(draft, { name: 'quantity', label: 'Seats', required: true, inputmode: 'numeric', max: 3 })}
      ${amount(draft, {
        name: 'amount_paid',
        label: `Paid (${currency.toUpperCase()})`,
        hint: `Total paid in cash or otherwise outside Connect. Leave empty if nothing was paid.${priceHint(event, currency)}`,
      })}
    </div>
    ${radios(
      draft,
      { name: 'status', label: 'Status' },
      statusesOf(event).map((value) => ({ value, ...STATUSES[value] })),
    )}`;
};

/**
 * Returns a sentence with the price per seat. It is empty for ticketed events, whose prices are in
 * the ticket type choices.
 */
const priceHint = (event: EventRow, currency: string) =>
  event.pricing_mode === 'ticketed' ? '' : ` Price per seat: ${priceText(event, currency)}.`;

export const attendeeFields = (draft: FormState): Html =>
  html`${input(draft, { name: 'attendee_name', label: 'Name', required: true })}
    <div class="two-columns">
      ${input(draft, { name: 'attendee_email', label: 'Email', type: 'email', max: 254 })}
      ${input(draft, { name: 'attendee_phone', label: 'Phone', type: 'tel', max: 40 })}
    </div>
    ${textArea(draft, {
      name: 'attendee_names',
      label: 'Attendees',
      hint: 'For more than one attendee, enter one name per line.',
    })}`;

/** Form values of an existing registration. */
export const attendeeValues = (row: RegistrationRow): Record<string, string> => ({
  attendee_name: row.attendee_name ?? '',
  attendee_email: row.attendee_email ?? '',
  attendee_phone: row.attendee_phone ?? '',
  attendee_names: row.attendee_names.join('\n'),
});

type AttendeeInput = Pick<
  RegistrationInput,
  'attendee_name' | 'attendee_email' | 'attendee_phone' | 'attendee_names'
>;

export function readAttendee(fields: FormFields, seats: number): AttendeeInput {
  const attendee_name = fields.required('attendee_name');
  const names = (fields.multilineText('attendee_names') ?? '')
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.some((name) => name.length > 200)) {
    fields.addError('attendee_names', 'Each name can have at most 200 characters.');
  }
  if (names.length > seats) {
    const text = seats === 1 ? 'one seat' : `${seats} seats`;
    fields.addError(
      'attendee_names',
      `The registration has ${text}, but you entered ${names.length} names.`,
    );
  }
  return {
    attendee_name,
    attendee_email: fields.email('attendee_email'),
    attendee_phone: fields.text('attendee_phone', 40),
    attendee_names: names.length ? names : [attendee_name],
  };
}

export function readRegistration(
  fields: FormFields,
  event: EventRow,
  currency: string,
): RegistrationInput {
  const quantity = fields.integer('quantity', { min: 1, max: MAX_QUANTITY });
  if (quantity === null) fields.addError('quantity', 'Enter the number of seats.');
  return {
    ...readAttendee(fields, quantity ?? MAX_QUANTITY),
    ticket_type_id: fields.text('ticket_type_id'),
    quantity: quantity ?? 1,
    amount_paid_cents: fields.money('amount_paid', currency) ?? 0,
    status: fields.oneOf('status', statusesOf(event)),
  };
}
