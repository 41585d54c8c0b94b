import { EVENT_FORMATS, PRICING_MODES } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Db } from '../../../db/schema.ts';
import type { EventInput } from '../../../resources/events/events.ts';
import type { EventRow } from '../../../resources/events/capacity.ts';
import type { Html } from '../../../lib/html.ts';
import { amount, textArea, checkbox, input, radios, select } from '../field-view.ts';
import { amountText, type FormState, type FormFields } from '../fields.ts';
import { urlName } from '../pages/field-types.ts';
import { organizationCurrency } from '../run-action.ts';
import { isTimeZone, localTimeText } from '../local-time.ts';
import { FORMAT_LABELS, PRICING_LABELS } from './event-labels.ts';

/** Choices of the event form. */
export interface EventFormOptions {
  currency: string;
  funds: NamedOption[];
  campaigns: NamedOption[];
}

interface NamedOption {
  id: string;
  name: string;
}

/**
 * Loads the funds and campaigns to which an event can belong.
 *
 * @param current the fund and campaign to which the event belongs already; they are included even
 *   if archived
 */
export async function loadEventFormOptions(
  db: Db,
  organizationId: string,
  current?: Pick<EventRow, 'fund_id' | 'campaign_id'>,
): Promise<EventFormOptions> {
  const loadOptions = (table: 'fund' | 'campaign', currentId: string | null = null) =>
    db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('organization_id', '=', organizationId)
      .where((eb) => eb.or([eb('archived_at', 'is', null), eb('id', '=', currentId)]))
      .orderBy('name')
      .limit(500)
      .execute();
  const [currency, funds, campaigns] = await Promise.all([
    organizationCurrency(db, organizationId),
    loadOptions('fund', current?.fund_id),
    loadOptions('campaign', current?.campaign_id),
  ]);
  return { currency, funds, campaigns };
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({
  value,
  text: value.replaceAll('_', ' '),
}));

const NONE = { value: '', text: 'None' };
const toSelectChoices = (options: readonly NamedOption[]) => [
  NONE,
  ...options.map(({ id, name }) => ({ value: id, text: name })),
];

/** Renders all fields of the event form, grouped under headings. */
export const eventFields = (
  draft: FormState,
  { currency, funds, campaigns }: EventFormOptions,
): Html => {
  const code = currency.toUpperCase();
  const toRadioChoices = <Value extends string>(
    values: readonly Value[],
    labels: Record<Value, { text: string; hint: string }>,
  ) => values.map((value) => ({ value, ...labels[value] }));
  return html`<h2>Details</h2>
    ${input(draft, { name: 'title', label: 'Title', required: true, max: 140 })}
    ${textArea(draft, { name: 'description', label: 'Description' })}
    ${input(draft, {
      name: 'slug',
      label: 'URL name',
      hint: 'Lowercase letters, digits and hyphens. Leave empty to create it from the title.',
      max: 60,
    })}
    <h2>Date and time</h2>
    ${select(draft, { name: 'timezone', label: 'Time zone', required: true }, ZONES)}
    <div class="two-columns">
      ${dateTimeInput(draft, 'starts_at', 'Starts', true)}
      ${dateTimeInput(draft, 'ends_at', 'Ends')}
      ${dateTimeInput(draft, 'registration_opens_at', 'Registration opens')}
      ${dateTimeInput(draft, 'registration_closes_at', 'Registration closes')}
    </div>
    <h2>Format and location</h2>
    ${radios(draft, { name: 'event_format', label: 'Format' }, toRadioChoices(EVENT_FORMATS, FORMAT_LABELS))}
    ${input(draft, { name: 'location', label: 'Location' })}
    ${input(draft, {
      name: 'online_meeting_url',
      label: 'Meeting link',
      type: 'url',
      max: 2000,
    })}
    <h2>Price and capacity</h2>
    ${radios(draft, { name: 'pricing_mode', label: 'Price' }, toRadioChoices(PRICING_MODES, PRICING_LABELS))}
    <div class="two-columns">
      ${amount(draft, { name: 'price', label: `Price (${code})`, hint: 'For “Fixed price”.' })}
      ${amount(draft, {
        name: 'pwyw_min',
        label: `Minimum amount (${code})`,
        hint: 'For “Pay what you want”. Leave empty for no minimum.',
      })}
      ${amount(draft, {
        name: 'pwyw_suggested',
        label: `Suggested amount (${code})`,
        hint: 'For “Pay what you want”.',
      })}
      ${input(draft, {
        name: 'capacity',
        label: 'Capacity',
        hint: 'Leave empty for no limit.',
        inputmode: 'numeric',
        max: 9,
      })}
    </div>
    ${checkbox(draft, {
      name: 'allow_waitlist',
      label: 'Waitlist',
      hint: 'When the event is full, people can join the waitlist.',
    })}
    ${checkbox(draft, {
      name: 'requires_approval',
      label: 'Requires approval',
      hint: 'Registrations stay pending until a team member confirms them.',
    })}
    <h2>Campaign and fund</h2>
    <div class="two-columns">
      ${select(draft, { name: 'campaign_id', label: 'Campaign' }, toSelectChoices(campaigns))}
      ${select(draft, { name: 'fund_id', label: 'Fund' }, toSelectChoices(funds))}
    </div>`;
};

const dateTimeInput = (draft: FormState, name: string, label: string, required = false) =>
  input(draft, { name, label, type: 'datetime-local', required, max: 19 });

/** Returns the form values of an event. Times are local times in the time zone of the event. */
export function eventValues(event: EventRow, currency: string): Record<string, string> {
  const at = (date: Date | null) => (date ? localTimeText(date, event.timezone) : '');
  const checkboxValue = (isChecked: boolean) => (isChecked ? 'on' : '');
  return {
    title: event.title,
    description: event.description ?? '',
    slug: event.slug,
    timezone: event.timezone,
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    registration_opens_at: at(event.registration_opens_at),
    registration_closes_at: at(event.registration_closes_at),
    event_format: event.event_format,
    location: event.location ?? '',
    online_meeting_url: event.online_meeting_url ?? '',
    pricing_mode: event.pricing_mode,
    price: amountText(event.price_cents, currency),
    pwyw_min: amountText(event.pwyw_min_cents, currency),
    pwyw_suggested: amountText(event.pwyw_suggested_cents, currency),
    capacity: event.capacity === null ? '' : String(event.capacity),
    allow_waitlist: checkboxValue(event.allow_waitlist),
    requires_approval: checkboxValue(event.requires_approval),
    campaign_id: event.campaign_id ?? '',
    fund_id: event.fund_id ?? '',
  };
}

export function readEvent(fields: FormFields, currency: string): EventInput {
  const timezone = fields.required('timezone', 64);
  if (timezone && !isTimeZone(timezone)) fields.addError('timezone', 'Select a time zone.');
  const timeZone = isTimeZone(timezone) ? timezone : 'UTC';
  const starts_at = fields.dateTime('starts_at', timeZone);
  if (!starts_at) fields.addError('starts_at', 'Enter a start date and time.');
  return {
    title: fields.required('title', 140),
    description: fields.multilineText('description'),
    slug: urlName({ source: 'title' }).read(fields, 'slug'),
    timezone,
    starts_at: starts_at ?? new Date(),
    ends_at: fields.dateTime('ends_at', timeZone),
    registration_opens_at: fields.dateTime('registration_opens_at', timeZone),
    registration_closes_at: fields.dateTime('registration_closes_at', timeZone),
    event_format: fields.oneOf('event_format', EVENT_FORMATS),
    location: fields.text('location'),
    online_meeting_url: fields.url('online_meeting_url'),
    ...readPrice(fields, currency),
    capacity: fields.integer('capacity', { min: 1 }),
    allow_waitlist: fields.checked('allow_waitlist'),
    requires_approval: fields.checked('requires_approval'),
    campaign_id: fields.text('campaign_id'),
    fund_id: fields.text('fund_id'),
  };
}

/** Reads only the amounts of the chosen pricing mode and ignores the others. */
function readPrice(fields: FormFields, currency: string) {
  const pricing_mode = fields.oneOf('pricing_mode', PRICING_MODES);
  const emptyPrices = { price_cents: null, pwyw_min_cents: null, pwyw_suggested_cents: null };
  if (pricing_mode === 'fixed') {
    const price_cents = fields.money('price', currency, { min: 1 });
    if (price_cents === null) fields.addError('price', 'Enter a price.');
    return { pricing_mode, ...emptyPrices, price_cents };
  }
  if (pricing_mode === 'pay_what_you_want') {
    const pwyw_min_cents = fields.money('pwyw_min', currency) ?? 0;
    const pwyw_suggested_cents = fields.money('pwyw_suggested', currency);
    return { pricing_mode, price_cents: null, pwyw_min_cents, pwyw_suggested_cents };
  }
  return { pricing_mode, ...emptyPrices };
}
