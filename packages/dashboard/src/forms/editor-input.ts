import {
  DONATION_BOUNDS_CENTS,
  type DonationTerms,
  type DonationTermsInput,
  type FormAppearance,
  type FormSettings,
  type FormSettingsInput,
  type Frequency,
  type ImpactTexts,
} from '@connect-embed/contract';
import type { ColorSettings } from '@connect-embed/api/resources/forms/form-colors';
import { pageInputOf, pageOf, type PageInput } from './page-fields.ts';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';

/** A list of amounts in rows, and a text for each. Empty fields are null. */
type Amounts = (number | null)[];
type Texts = (string | null)[];

/** What a member enters in the form editor. */
export interface EditorInput extends PageInput, ColorSettings {
  name: string;
  slug: string | null;
  frequencies: Frequency[];
  /** Null for the first of `frequencies`. */
  default_frequency: Frequency | null;
  preset_amounts_cents: Amounts;
  preset_impacts: Texts;
  monthly_amounts_cents: Amounts;
  monthly_impacts: Texts;
  quarterly_amounts_cents: Amounts;
  quarterly_impacts: Texts;
  yearly_amounts_cents: Amounts;
  yearly_impacts: Texts;
  default_amount_cents: number | null;
  amount_locked: boolean;
  min_amount_cents: number | null;
  max_amount_cents: number | null;
  fund_mode: 'none' | 'fixed' | 'choice';
  fund_id: string | null;
  fund_choice_ids: string[] | null;
  campaign_id: string | null;
  fee_cover: DonationTerms['fee_cover'];
  fee_cover_fixed_cents: number | null;
  allow_dedication: boolean;
  allow_anonymous: boolean;
  allow_comment: boolean;
  heading: string | null;
  intro: string | null;
  button: string | null;
  thank_you: string | null;
  success_url: string | null;
  display: FormSettings['display'];
  corners: FormAppearance['corners'];
  font: FormAppearance['font'];
  theme: FormAppearance['theme'];
  /** Revision of the draft that the member has opened. */
  draft_revision: number;
}

export const OTHER_FREQUENCIES = ['monthly', 'quarterly', 'yearly'] as const;
type OtherFrequency = (typeof OTHER_FREQUENCIES)[number];

/** The lists of amounts, without the suffixes of their fields `_amounts_cents` and `_impacts`. */
export const AMOUNT_LISTS = ['preset', ...OTHER_FREQUENCIES] as const;

/**
 * Returns the settings of the entered form.
 *
 * @param current the settings of the draft; those without a field are kept
 */
export function settingsOf(input: EditorInput, current: FormSettings): FormSettingsInput {
  const { heading, intro, button, thank_you, display } = input;
  const { accent_color, background_color, text_color, corners, font, theme } = input;
  const { accent_color_dark, background_color_dark, text_color_dark } = input;
  return {
    ...current,
    terms: termsOf(input, current.terms),
    impact_texts: impactTextsOf(input, 'preset'),
    impact_texts_by_frequency: Object.fromEntries(
      OTHER_FREQUENCIES.map((frequency) => [frequency, impactTextsOf(input, frequency)] as const)
        // An empty object would count as a change of the draft.
        .filter(([, texts]) => Object.keys(texts).length > 0),
    ),
    texts: { heading, intro, button, thank_you },
    display,
    appearance: {
      accent_color,
      accent_color_dark,
      background_color,
      background_color_dark,
      text_color,
      text_color_dark,
      corners,
      font,
      theme,
    },
    page: pageOf(input),
    unused_amounts_by_frequency: unusedAmountsOf(input),
  };
}

type AmountList = (typeof AMOUNT_LISTS)[number];

const amountsOf = (input: EditorInput, list: AmountList): number[] =>
  input[`${list}_amounts_cents`].filter((cents) => cents !== null);

function impactTextsOf(input: EditorInput, list: AmountList): ImpactTexts {
  const texts = input[`${list}_impacts`];
  return Object.fromEntries(
    input[`${list}_amounts_cents`].flatMap((cents, row) => {
      const text = texts[row];
      return cents !== null && text ? [[cents, text]] : [];
    }),
  );
}

/** Returns the amounts for each of the frequencies for which some are entered. */
const amountsByFrequency = (input: EditorInput, frequencies: readonly OtherFrequency[]) =>
  Object.fromEntries(
    frequencies
      .map((frequency) => [frequency, amountsOf(input, frequency)] as const)
      .filter(([, amounts]) => amounts.length > 0),
  );

/** Returns the amounts for frequencies that are not offered; undefined if there are none. */
function unusedAmountsOf(input: EditorInput) {
  const unused = OTHER_FREQUENCIES.filter((frequency) => !input.frequencies.includes(frequency));
  const amounts = amountsByFrequency(input, unused);
  // An empty object would count as a change of the draft.
  return Object.keys(amounts).length > 0 ? amounts : undefined;
}

function termsOf(input: EditorInput, current: DonationTerms): DonationTermsInput {
  const { fee_cover_basis_points, prefill_from_url, card_loading } = current;
  const { default_frequency, fee_cover_fixed_cents } = input;
  const offered = OTHER_FREQUENCIES.filter((frequency) => input.frequencies.includes(frequency));
  const { fund_id, fund_choice_ids, campaign_id, min_amount_cents, max_amount_cents } = input;
  const { default_amount_cents } = input;
  return {
    fee_cover_basis_points,
    prefill_from_url,
    card_loading,
    ...(fund_id && { fund_id }),
    ...(fund_choice_ids && { fund_choice_ids }),
    ...(campaign_id && { campaign_id }),
    ...(min_amount_cents !== null && { min_amount_cents }),
    ...(max_amount_cents !== null && { max_amount_cents }),
    ...(default_amount_cents !== null && { default_amount_cents }),
    frequencies: input.frequencies,
    ...(default_frequency && { default_frequency }),
    preset_amounts_cents: amountsOf(input, 'preset'),
    preset_amounts_by_frequency: amountsByFrequency(input, offered),
    amount_locked: input.amount_locked,
    fee_cover: input.fee_cover,
    ...(fee_cover_fixed_cents !== null && { fee_cover_fixed_cents }),
    allow_dedication: input.allow_dedication,
    allow_anonymous: input.allow_anonymous,
    allow_comment: input.allow_comment,
    success_url: input.success_url,
  };
}

/** Returns the draft of a form as the editor shows it. */
export function editorInputOf(row: FormRow): EditorInput {
  const { name, slug, draft, draft_revision } = row;
  const { terms, texts, appearance, display } = draft;
  const impacts = (amounts: readonly number[], of: ImpactTexts = {}) =>
    amounts.map((cents) => of[cents] ?? null);
  const listOf = <Name extends Frequency>(frequency: Name) => {
    const amounts =
      terms.preset_amounts_by_frequency[frequency] ??
      draft.unused_amounts_by_frequency?.[frequency] ??
      [];
    const of = draft.impact_texts_by_frequency[frequency];
    return { amounts, impacts: impacts(amounts, of) };
  };
  const [monthly, quarterly, yearly] = [listOf('monthly'), listOf('quarterly'), listOf('yearly')];
  return {
    ...terms,
    ...texts,
    ...appearance,
    display,
    default_frequency:
      terms.default_frequency === terms.frequencies[0] ? null : terms.default_frequency,
    // The bounds of every donation need not be shown.
    min_amount_cents:
      terms.min_amount_cents === DONATION_BOUNDS_CENTS.min ? null : terms.min_amount_cents,
    max_amount_cents:
      terms.max_amount_cents === DONATION_BOUNDS_CENTS.max ? null : terms.max_amount_cents,
    name,
    slug,
    draft_revision,
    preset_impacts: impacts(terms.preset_amounts_cents, draft.impact_texts),
    monthly_amounts_cents: monthly.amounts,
    monthly_impacts: monthly.impacts,
    quarterly_amounts_cents: quarterly.amounts,
    quarterly_impacts: quarterly.impacts,
    yearly_amounts_cents: yearly.amounts,
    yearly_impacts: yearly.impacts,
    fund_mode: terms.fund_id ? 'fixed' : terms.fund_choices.length > 0 ? 'choice' : 'none',
    fund_choice_ids: terms.fund_choices.map(({ id }) => id),
    ...pageInputOf(row),
  };
}
