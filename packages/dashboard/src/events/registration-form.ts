import { formatMoney } from '@connect-embed/contract';
import type { EventRow, TicketTypeRow } from '@connect-embed/api/resources/events/capacity';
import { MAX_QUANTITY, type RegistrationInput } from '@connect-embed/api/resources/events/register';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { FormFields } from '../pages/fields.ts';
import {
  email,
  lines,
  money,
  notAsked,
  oneOf,
  phone,
  recordId,
  required,
  text,
  wholeNumber,
  withDefault,
  type FieldsOf,
} from '../pages/field-types.ts';
import { priceText } from './event-labels.ts';

/** The part of a registration that can be corrected later. */
export type AttendeeInput = Pick<
  RegistrationInput,
  'attendee_name' | 'attendee_email' | 'attendee_phone' | 'attendee_names'
>;

export const ATTENDEE_FIELDS: FieldsOf<AttendeeInput> = {
  attendee_name: required(text({ label: 'Name' })),
  attendee_email: email({ label: 'Email', half: true }),
  attendee_phone: phone({ label: 'Phone', half: true }),
  attendee_names: lines({
    label: 'Attendees',
    hint: 'For more than one attendee, enter one name per line.',
    problem: 'Each name can have at most 200 characters.',
  }),
};

/** Adds an error if there are more names than seats. */
export function checkAttendeeNames(
  { attendee_names: names }: AttendeeInput,
  form: FormFields,
  seats: number,
): void {
  if (names.length <= seats) return;
  const seatCount = seats === 1 ? 'one seat' : `${seats} seats`;
  form.addError(
    'attendee_names',
    `The registration has ${seatCount}, but you entered ${names.length} names.`,
  );
}

/** Returns the input with the contact as the only attendee if no attendees were entered. */
export const withAttendees = <Input extends AttendeeInput>(input: Input): Input =>
  input.attendee_names.length ? input : { ...input, attendee_names: [input.attendee_name] };

const STATUSES = {
  confirmed: {
    text: 'Confirmed',
    hint: 'The seats are taken. Subscribed webhook endpoints are notified.',
  },
  pending: {
    text: 'Pending',
    hint: 'The seats are held until a team member confirms the registration.',
  },
} as const;
const WAITLISTED = { text: 'On the waitlist', hint: 'No seats are held.' };

/** The fields of a new registration: attendee, ticket type, seats, amount paid and status. */
export const registrationFields = (
  event: EventRow,
  tickets: readonly TicketTypeRow[],
  currency: string,
): FieldsOf<RegistrationInput> => ({
  ...ATTENDEE_FIELDS,
  ticket_type_id:
    event.pricing_mode === 'ticketed'
      ? ticketTypeField(tickets, currency)
      : notAsked<string | null>(null),
  quantity: required(
    wholeNumber({ label: 'Seats', from: 1, to: MAX_QUANTITY, max: 3, half: true }),
    'Enter the number of seats.',
  ),
  amount_paid_cents: withDefault(
    money({
      label: 'Paid',
      hint: `Total paid in cash or otherwise outside Connect. Leave empty if nothing was paid.${priceHint(event, currency)}`,
      currency,
      half: true,
    }),
    0,
  ),
  status: oneOf({
    label: 'Status',
    choices: { ...STATUSES, ...(event.allow_waitlist && { waitlisted: WAITLISTED }) },
  }),
});

const ticketTypeField = (tickets: readonly TicketTypeRow[], currency: string) =>
  required<string | null>(
    recordId({
      label: 'Ticket type',
      none: 'Select a ticket type',
      choices: tickets
        .filter(({ is_active }) => is_active)
        .map(({ id, name, price_cents }) => ({
          value: id,
          text: `${name}, ${formatMoney(price_cents, currency, LOCALE)}`,
        })),
    }),
    'Select a ticket type.',
  );

/**
 * Returns a sentence with the price per seat. It is empty for ticketed events, whose prices are in
 * the ticket type choices.
 */
const priceHint = (event: EventRow, currency: string) =>
  event.pricing_mode === 'ticketed' ? '' : ` Price per seat: ${priceText(event, currency)}.`;
