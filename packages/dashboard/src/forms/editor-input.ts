import {
  DONATION_BOUNDS_CENTS,
  DonationTermsInput,
  FormAppearance,
  FormTexts,
  type DonationTerms,
  type FormSettings,
  type FormSettingsInput,
  type Frequency,
  type ImpactTexts,
} from '@connect-embed/contract';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import type { EditorInput } from './form-fields.ts';
import { pageInputOf, pageOf } from './page-fields.ts';

const OTHER_FREQUENCIES = ['monthly', 'quarterly', 'yearly'] as const;
type OtherFrequency = (typeof OTHER_FREQUENCIES)[number];

/** The lists of amounts, without the suffixes of their fields `_amounts_cents` and `_impacts`. */
export const AMOUNT_LISTS = ['preset', ...OTHER_FREQUENCIES] as const;

/**
 * Returns the settings of the entered form.
 *
 * @param current the settings of the draft; those without a field are kept
 */
export const settingsOf = (input: EditorInput, current: FormSettings): FormSettingsInput => ({
  ...current,
  terms: termsOf(input, current.terms),
  impact_texts: impactTextsOf(input, 'preset'),
  impact_texts_by_frequency: Object.fromEntries(
    OTHER_FREQUENCIES.map((frequency) => [frequency, impactTextsOf(input, frequency)] as const)
      // An empty object would count as a change of the draft.
      .filter(([, texts]) => Object.keys(texts).length > 0),
  ),
  texts: pickSettings(FormTexts, input),
  display: input.display,
  appearance: pickSettings(FormAppearance, input),
  page: pageOf(input, current.page),
  unused_amounts_by_frequency: unusedAmountsOf(input),
});

/** Returns the entered values whose fields have the name of a property of the schema. */
const pickSettings = <Name extends string>(
  { shape }: { shape: Record<Name, unknown> },
  input: EditorInput,
) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in shape)) as Pick<
    EditorInput,
    Name & keyof EditorInput
  >;

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
  const offered = OTHER_FREQUENCIES.filter((frequency) => input.frequencies.includes(frequency));
  return {
    fee_cover_basis_points,
    prefill_from_url,
    card_loading,
    ...withoutNulls(pickSettings(DonationTermsInput, input)),
    preset_amounts_cents: amountsOf(input, 'preset'),
    preset_amounts_by_frequency: amountsByFrequency(input, offered),
    success_url: input.success_url,
  };
}

const withoutNulls = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [Name in keyof Values]?: Exclude<Values[Name], null>;
  };

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
    method_mode: terms.payment_method_types ? 'own' : 'organization',
    fund_mode: terms.fund_id ? 'fixed' : terms.fund_choices.length > 0 ? 'choice' : 'none',
    fund_choice_ids: terms.fund_choices.map(({ id }) => id),
    ...pageInputOf(row),
  };
}
