import {
  DONATION_BOUNDS_CENTS,
  formatMoney,
  FREQUENCIES,
  type DonationTerms,
  type DonationTermsInput,
  type Frequency,
} from '@connect-embed/contract';
import type { FormRow } from '../../../resources/forms/edit-form.ts';
import type { MembershipWithSettings } from '../../../users/membership.ts';
import { LOCALE } from '../../layout.ts';
import type { FormFields } from '../fields.ts';
import type { Choice } from '../field-view.ts';
import {
  hiddenNumber,
  money,
  moneyList,
  oneOf,
  onlyIf,
  recordId,
  required,
  someOf,
  text,
  url,
  yesOrNo,
  type FieldsOf,
} from '../pages/field-types.ts';
import { FREQUENCY_LABELS } from './frequency-labels.ts';
import { pageFields, pageInputOf, type PageInput } from './page-fields.ts';

/** What a member enters in the form editor. */
export interface EditorInput extends PageInput {
  name: string;
  slug: string | null;
  frequencies: Frequency[];
  preset_amounts_cents: number[];
  monthly_amounts_cents: number[];
  quarterly_amounts_cents: number[];
  yearly_amounts_cents: number[];
  default_amount_cents: number | null;
  amount_locked: boolean;
  min_amount_cents: number | null;
  max_amount_cents: number | null;
  fund_mode: 'none' | 'fixed' | 'choice';
  fund_id: string | null;
  fund_choice_ids: string[] | null;
  campaign_id: string | null;
  fee_cover: DonationTerms['fee_cover'];
  allow_dedication: boolean;
  allow_anonymous: boolean;
  allow_comment: boolean;
  success_url: string | null;
  /** Revision of the draft that the member has opened. */
  draft_revision: number;
}

/** The funds and campaigns that a form can have. */
export interface TargetChoices {
  funds: readonly Choice[];
  campaigns: readonly Choice[];
}

const OTHER_FREQUENCIES = ['monthly', 'quarterly', 'yearly'] as const;

const SAME_AMOUNTS = 'Leave empty to offer the same amounts.';

/** The fields of the form editor. */
export const editorFields = (
  { currency, organizationName }: MembershipWithSettings,
  { funds, campaigns }: TargetChoices,
): FieldsOf<EditorInput> => ({
  draft_revision: hiddenNumber(),
  name: required(
    text({ label: 'Name', hint: 'Only members of your organization see it.', max: 100 }),
  ),
  slug: text({
    label: 'Name in pages',
    hint: 'Lowercase letters, digits and hyphens. It cannot be changed after the form was published.',
    max: 60,
  }),
  frequencies: someOf({
    heading: 'Amounts',
    label: 'How often',
    choices: FREQUENCIES.map((value) => ({ value, text: FREQUENCY_LABELS[value] })),
    problem: 'Select at least one.',
  }),
  preset_amounts_cents: moneyList({
    label: 'Amounts to choose from',
    hint: 'Separate amounts with spaces: 25 50 100',
    currency,
  }),
  monthly_amounts_cents: moneyList({
    label: 'Monthly amounts',
    hint: SAME_AMOUNTS,
    currency,
    half: true,
  }),
  quarterly_amounts_cents: moneyList({
    label: 'Quarterly amounts',
    hint: SAME_AMOUNTS,
    currency,
    half: true,
  }),
  yearly_amounts_cents: moneyList({
    label: 'Yearly amounts',
    hint: SAME_AMOUNTS,
    currency,
    half: true,
  }),
  default_amount_cents: money({ label: 'Selected at first', currency, min: 1, half: true }),
  min_amount_cents: money({ label: 'Smallest donation', currency, min: 1, half: true }),
  max_amount_cents: money({ label: 'Largest donation', currency, min: 1, half: true }),
  amount_locked: yesOrNo({
    label: 'Only these amounts',
    hint: 'Donors cannot enter another amount.',
  }),
  fund_mode: oneOf({
    heading: 'Purpose',
    label: 'Fund',
    choices: {
      none: { text: 'No fund' },
      fixed: { text: 'One fund', hint: 'Every donation is for it.' },
      choice: { text: 'Donors choose', hint: 'From the funds that you select.' },
    },
  }),
  fund_id: onlyIf(
    ['fund_mode', 'fixed'],
    required(
      recordId({ label: 'Fund of every donation', none: 'Select a fund', choices: funds }),
      'Select a fund.',
    ),
  ),
  fund_choice_ids: onlyIf(
    ['fund_mode', 'choice'],
    someOf({ label: 'Funds to choose from', choices: funds, problem: 'Select at least one fund.' }),
  ),
  campaign_id: recordId({
    label: 'Campaign',
    hint: 'Donations count towards its goal.',
    none: 'No campaign',
    choices: campaigns,
  }),
  fee_cover: oneOf({
    heading: 'Options for donors',
    label: 'Processing fee',
    choices: {
      off: { text: 'Not offered' },
      offered: { text: 'Offered', hint: 'Donors can add the fee to their donation.' },
      preselected: { text: 'Selected at first', hint: 'Donors can remove it.' },
    },
  }),
  allow_dedication: yesOrNo({ label: 'Dedication', hint: 'In honor or in memory of somebody.' }),
  allow_anonymous: yesOrNo({ label: 'Anonymous', hint: 'Donors can ask not to be named.' }),
  allow_comment: yesOrNo({ label: 'Message', hint: 'Donors can write a message to you.' }),
  success_url: url({
    heading: 'After the donation',
    label: 'Thank-you page on your website',
    hint: 'Leave empty to show the thank-you message in the form.',
  }),
  ...pageFields(organizationName),
});

/** Limits of lists: `DonationTermsInput` of the contract. */
const MAX_PRESETS = 12;
const MAX_FUND_CHOICES = 20;

/** Adds errors that concern several fields, with amounts as people read them. */
export function checkEditorInput(
  input: EditorInput,
  form: FormFields,
  { currency }: { currency: string },
): void {
  const format = (cents: number) => formatMoney(cents, currency, LOCALE, { trim: true });
  const isOutside =
    ({ min, max }: Bounds) =>
    (cents: number) =>
      cents < min || cents > max;
  const between = ({ min, max }: Bounds) => `between ${format(min)} and ${format(max)}.`;

  const bounds: Bounds = {
    min: input.min_amount_cents ?? DONATION_BOUNDS_CENTS.min,
    max: input.max_amount_cents ?? DONATION_BOUNDS_CENTS.max,
  };
  for (const [field, cents] of [
    ['min_amount', bounds.min],
    ['max_amount', bounds.max],
  ] as const) {
    if (isOutside(DONATION_BOUNDS_CENTS)(cents))
      form.addError(field, `Must be ${between(DONATION_BOUNDS_CENTS)}`);
  }
  if (bounds.min > bounds.max)
    form.addError('min_amount', 'Must not be greater than the largest donation.');
  if (form.hasErrors) return;

  for (const field of PRESET_FIELDS) {
    const amounts = input[`${field}_cents`];
    if (amounts.length > MAX_PRESETS) form.addError(field, `Enter at most ${MAX_PRESETS} amounts.`);
    if (amounts.some(isOutside(bounds))) form.addError(field, `Must all be ${between(bounds)}`);
  }
  if (input.amount_locked && input.preset_amounts_cents.length === 0)
    form.addError('preset_amounts', 'Enter the amounts that donors can choose from.');
  const { default_amount_cents: selected } = input;
  if (selected !== null && isOutside(bounds)(selected))
    form.addError('default_amount', `Must be ${between(bounds)}`);
  if ((input.fund_choice_ids ?? []).length > MAX_FUND_CHOICES)
    form.addError('fund_choice_ids', `Select at most ${MAX_FUND_CHOICES} funds.`);
}

/** Bounds of an amount, in minor units. */
interface Bounds {
  min: number;
  max: number;
}

/** The fields for lists of amounts. */
const PRESET_FIELDS = [
  'preset_amounts',
  'monthly_amounts',
  'quarterly_amounts',
  'yearly_amounts',
] as const;

/**
 * Returns the terms of the entered form.
 *
 * @param current the terms of the draft, whose settings without a field are kept
 */
export function termsOf(input: EditorInput, current: DonationTerms): DonationTermsInput {
  const { fee_cover_basis_points, fee_cover_fixed_cents, prefill_from_url, card_loading } = current;
  const { default_frequency } = current;
  const presetsByFrequency = OTHER_FREQUENCIES.filter(
    (frequency) =>
      input.frequencies.includes(frequency) && input[`${frequency}_amounts_cents`].length > 0,
  ).map((frequency) => [frequency, input[`${frequency}_amounts_cents`]]);
  const given = {
    fund_id: input.fund_id,
    fund_choice_ids: input.fund_choice_ids,
    campaign_id: input.campaign_id,
    default_amount_cents: input.default_amount_cents,
    min_amount_cents: input.min_amount_cents,
    max_amount_cents: input.max_amount_cents,
  };
  return {
    ...{ fee_cover_basis_points, fee_cover_fixed_cents, prefill_from_url, card_loading },
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    frequencies: input.frequencies,
    ...(input.frequencies.includes(default_frequency) && { default_frequency }),
    preset_amounts_cents: input.preset_amounts_cents,
    preset_amounts_by_frequency: Object.fromEntries(presetsByFrequency),
    amount_locked: input.amount_locked,
    fee_cover: input.fee_cover,
    allow_dedication: input.allow_dedication,
    allow_anonymous: input.allow_anonymous,
    allow_comment: input.allow_comment,
    success_url: input.success_url,
  };
}

/** Returns the draft of a form as the editor shows it. */
export function editorInputOf(row: FormRow): EditorInput {
  const { name, slug, draft, draft_revision } = row;
  const { terms } = draft;
  const presetsOf = (frequency: Frequency) => terms.preset_amounts_by_frequency[frequency] ?? [];
  return {
    ...terms,
    // The bounds of every donation need not be shown.
    min_amount_cents:
      terms.min_amount_cents === DONATION_BOUNDS_CENTS.min ? null : terms.min_amount_cents,
    max_amount_cents:
      terms.max_amount_cents === DONATION_BOUNDS_CENTS.max ? null : terms.max_amount_cents,
    name,
    slug,
    draft_revision,
    monthly_amounts_cents: presetsOf('monthly'),
    quarterly_amounts_cents: presetsOf('quarterly'),
    yearly_amounts_cents: presetsOf('yearly'),
    fund_mode: terms.fund_id ? 'fixed' : terms.fund_choices.length > 0 ? 'choice' : 'none',
    fund_choice_ids: terms.fund_choices.map(({ id }) => id),
    ...pageInputOf(row),
  };
}
