import type { Db } from '@connect-embed/api/db/schema';
import type { EventInput } from '@connect-embed/api/resources/events/events';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import type { Choice } from '../pages/field-view.ts';
import type { FormFields } from '../pages/fields.ts';
import {
  dateTime,
  money,
  multilineText,
  oneOf,
  onlyIf,
  recordId,
  required,
  text,
  timeZone,
  url,
  urlName,
  wholeNumber,
  withDefault,
  yesOrNo,
  type FieldsOf,
} from '../pages/field-types.ts';
import { FORMAT_LABELS, PRICING_LABELS } from './event-labels.ts';
import { forOrganization } from '@connect-embed/api/db/organization-scope';

/** The funds and campaigns to which an event can belong. */
export interface EventTargets {
  funds: Choice[];
  campaigns: Choice[];
}

/**
 * Loads the funds and campaigns to which an event can belong.
 *
 * @param current the fund and campaign to which the event belongs already; they are included even
 *   if archived
 */
export async function loadEventTargets(
  db: Db,
  organizationId: string,
  current?: Pick<EventRow, 'fund_id' | 'campaign_id'>,
): Promise<EventTargets> {
  const loadChoices = (table: 'fund' | 'campaign', currentId: string | null = null) =>
    forOrganization(db, organizationId)
      .selectFrom(table)
      .select(['id as value', 'name as text'])
      .where((eb) => eb.or([eb('archived_at', 'is', null), eb('id', '=', currentId)]))
      .orderBy('name')
      .limit(500)
      .execute();
  const [funds, campaigns] = await Promise.all([
    loadChoices('fund', current?.fund_id),
    loadChoices('campaign', current?.campaign_id),
  ]);
  return { funds, campaigns };
}

export const eventFields = (currency: string, targets: EventTargets): FieldsOf<EventInput> => ({
  ...DETAIL_FIELDS,
  ...TIME_FIELDS,
  ...PLACE_FIELDS,
  ...priceFields(currency),
  ...SEAT_FIELDS,
  ...targetFields(targets),
});

const DETAIL_FIELDS = {
  title: required(text({ heading: 'Details', label: 'Title', max: 140 })),
  description: multilineText({ label: 'Description' }),
  slug: urlName({ source: 'title' }),
};

const localTime = (label: string) => dateTime({ label, zoneField: 'timezone', half: true });

const TIME_FIELDS = {
  timezone: timeZone({ heading: 'Date and time', label: 'Time zone' }),
  starts_at: required(localTime('Starts'), 'Enter a start date and time.'),
  ends_at: localTime('Ends'),
  registration_opens_at: localTime('Registration opens'),
  registration_closes_at: localTime('Registration closes'),
};

const PLACE_FIELDS = {
  event_format: oneOf({ heading: 'Format and location', label: 'Format', choices: FORMAT_LABELS }),
  location: text({ label: 'Location' }),
  online_meeting_url: url({ label: 'Meeting link' }),
};

const priceFields = (currency: string) => ({
  pricing_mode: oneOf({ heading: 'Price and capacity', label: 'Price', choices: PRICING_LABELS }),
  price_cents: onlyIf(
    ['pricing_mode', 'fixed'],
    money({ label: 'Price', hint: 'For “Fixed price”.', currency, min: 1, half: true }),
  ),
  pwyw_min_cents: onlyIf(
    ['pricing_mode', 'pay_what_you_want'],
    withDefault(
      money({
        label: 'Minimum amount',
        hint: 'For “Pay what you want”. Leave empty for no minimum.',
        currency,
        half: true,
      }),
      0,
    ),
  ),
  pwyw_suggested_cents: onlyIf(
    ['pricing_mode', 'pay_what_you_want'],
    money({ label: 'Suggested amount', hint: 'For “Pay what you want”.', currency, half: true }),
  ),
});

const SEAT_FIELDS = {
  capacity: wholeNumber({
    label: 'Capacity',
    hint: 'Leave empty for no limit.',
    from: 1,
    max: 9,
    half: true,
  }),
  allow_waitlist: yesOrNo({
    label: 'Waitlist',
    hint: 'When the event is full, people can join the waitlist.',
  }),
  requires_approval: yesOrNo({
    label: 'Requires approval',
    hint: 'Registrations stay pending until a team member confirms them.',
  }),
};

const targetFields = ({ funds, campaigns }: EventTargets) => ({
  campaign_id: recordId({
    heading: 'Campaign and fund',
    label: 'Campaign',
    none: 'None',
    choices: campaigns,
    half: true,
  }),
  fund_id: recordId({ label: 'Fund', none: 'None', choices: funds, half: true }),
});

export function checkEvent({ pricing_mode, price_cents }: EventInput, form: FormFields): void {
  if (pricing_mode === 'fixed' && price_cents === null) form.addError('price', 'Enter a price.');
}
