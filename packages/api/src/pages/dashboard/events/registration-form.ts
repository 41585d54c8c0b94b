import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { EventRow, TicketTypeRow } from '../../../events/capacity.ts';
import { MAX_QUANTITY, type RegistrationInput } from '../../../events/register.ts';
import type { RegistrationRow } from '../../../events/registrations.ts';
import { LOCALE, type Html } from '../../layout.ts';
import { amount, textArea, input, radios, select } from '../field-view.ts';
import type { FormState, FormFields } from '../fields.ts';
import { priceText } from './event-labels.ts';

const STATUSES = {
  confirmed: { text: 'Confirmed', hint: 'They come. Webhook endpoints that ask for it are told.' },
  pending: { text: 'Pending', hint: 'A place is held until somebody confirms it.' },
  waitlisted: { text: 'On the waitlist', hint: 'No place is held.' },
} as const;

type Status = keyof typeof STATUSES;

const statusesOf = ({ allow_waitlist }: EventRow) =>
  (Object.keys(STATUSES) as Status[]).filter((one) => one !== 'waitlisted' || allow_waitlist);

/** Initial values of the form for a new registration. */
export const initialRegistration = (event: EventRow): Record<string, string> => ({
  quantity: '1',
  status: event.requires_approval ? 'pending' : 'confirmed',
});

/**
 * Fields of the form for a new registration: attendee, ticket type, seats, amount paid and status.
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
            { value: '', text: 'Choose one' },
            ...tickets
              .filter(({ is_active }) => is_active)
              .map(({ id, name, price_cents }) => ({
                value: id,
                text: `${name}, ${money(price_cents)}`,
              })),
          ])
        : ''
    }
    <div class="two">
      ${input(draft, { name: 'quantity', label: 'Places', required: true, inputmode: 'numeric', max: 3 })}
      ${amount(draft, {
        name: 'amount_paid',
        label: `Paid in ${currency.toUpperCase()}`,
        hint: `Altogether, in cash or otherwise outside of Connect; empty is nothing.${priceHint(event, currency)}`,
      })}
    </div>
    ${radios(
      draft,
      { name: 'status', label: 'Status' },
      statusesOf(event).map((value) => ({ value, ...STATUSES[value] })),
    )}`;
};

/**
 * The price per seat. It is empty for ticketed events, whose prices are in the ticket type choices.
 */
const priceHint = (event: EventRow, currency: string) =>
  event.pricing_mode === 'ticketed' ? '' : ` Price of a place: ${priceText(event, currency)}.`;

export const attendeeFields = (draft: FormState): Html =>
  html`${input(draft, { name: 'attendee_name', label: 'Name', required: true })}
    <div class="two">
      ${input(draft, { name: 'attendee_email', label: 'E-mail', type: 'email', max: 254 })}
      ${input(draft, { name: 'attendee_phone', label: 'Phone', type: 'tel', max: 40 })}
    </div>
    ${textArea(draft, {
      name: 'attendee_names',
      label: 'Everybody who comes',
      hint: 'One name a line, if they are several.',
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

export function readAttendee(fields: FormFields, places: number): AttendeeInput {
  const attendee_name = fields.required('attendee_name');
  const names = (fields.multilineText('attendee_names') ?? '')
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.some((name) => name.length > 200)) {
    fields.addError('attendee_names', 'A name has at most 200 characters.');
  }
  if (names.length > places) {
    const text = places === 1 ? 'There is one place' : `There are ${places} places`;
    fields.addError('attendee_names', `${text}, and ${names.length} names.`);
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
  if (quantity === null) fields.addError('quantity', 'How many places?');
  return {
    ...readAttendee(fields, quantity ?? MAX_QUANTITY),
    ticket_type_id: fields.text('ticket_type_id'),
    quantity: quantity ?? 1,
    amount_paid_cents: fields.money('amount_paid', currency) ?? 0,
    status: fields.oneOf('status', statusesOf(event)),
  };
}
