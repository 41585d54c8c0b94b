import {
  DONATION_BOUNDS_CENTS,
  formatMoney,
  MAX_FIXED_FEE_CENTS,
  MAX_FUND_CHOICES,
  MAX_PRESETS,
} from '@connect-embed/contract';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { FormFields } from '../pages/fields.ts';
import { COLOR_SETTINGS } from '@connect-embed/api/lib/form-colors';
import { colorProblem } from './color-note.ts';
import { AMOUNT_LISTS } from './editor-input.ts';
import type { EditorInput, FundAndCampaignChoices } from './form-fields.ts';

/** Bounds of an amount, in minor units. */
interface Bounds {
  min: number;
  max: number;
}

const isOutside = (cents: number, { min, max }: Bounds) => cents < min || cents > max;

/** Adds errors that concern several fields, with amounts as people read them. */
export function checkEditorInput(
  input: EditorInput,
  form: FormFields,
  { currency, campaigns }: Pick<FundAndCampaignChoices, 'campaigns'> & { currency: string },
): void {
  const format = (cents: number) => formatMoney(cents, currency, LOCALE, { trim: true });
  const outside = ({ min, max }: Bounds) => `Must be between ${format(min)} and ${format(max)}.`;
  const bounds: Bounds = {
    min: input.min_amount_cents ?? DONATION_BOUNDS_CENTS.min,
    max: input.max_amount_cents ?? DONATION_BOUNDS_CENTS.max,
  };
  for (const [field, cents] of [
    ['min_amount', bounds.min],
    ['max_amount', bounds.max],
  ] as const) {
    if (isOutside(cents, DONATION_BOUNDS_CENTS))
      form.addError(field, outside(DONATION_BOUNDS_CENTS));
  }
  if (bounds.min > bounds.max)
    form.addError('min_amount', 'Must not be greater than the largest donation.');
  if (input.default_frequency && !input.frequencies.includes(input.default_frequency))
    form.addError('default_frequency', 'Select one of those that donors can choose from.');
  if ((input.fee_cover_fixed_cents ?? 0) > MAX_FIXED_FEE_CENTS)
    form.addError('fee_cover_fixed', `Must be at most ${format(MAX_FIXED_FEE_CENTS)}.`);
  const campaign = campaigns.find(({ value }) => value === input.campaign_id);
  if (input.show_goal && !campaign?.hasGoal)
    form.addError(
      'show_goal',
      'This campaign has no goal. Give it one, or select another campaign.',
    );
  for (const { name } of COLOR_SETTINGS) {
    const problem = colorProblem(input, name);
    if (problem) form.addError(name, problem);
  }
  if (form.hasErrors) return;

  checkAmountLists(input, form, (cents) => isOutside(cents, bounds) && outside(bounds));
  if (input.amount_locked && input.preset_amounts_cents.every((cents) => cents === null))
    form.addError('preset_amounts', 'Enter the amounts that donors can choose from.');
  const { default_amount_cents: selected } = input;
  if (selected !== null && isOutside(selected, bounds))
    form.addError('default_amount', outside(bounds));
  if ((input.fund_choice_ids ?? []).length > MAX_FUND_CHOICES)
    form.addError('fund_choice_ids', `Select at most ${MAX_FUND_CHOICES} funds.`);
}

/**
 * Adds the errors of each row of amounts.
 *
 * @param problemOf returns why an amount cannot be offered
 */
function checkAmountLists(
  input: EditorInput,
  form: FormFields,
  problemOf: (cents: number) => string | false,
): void {
  for (const list of AMOUNT_LISTS) {
    const field = `${list}_amounts`;
    const amounts = input[`${list}_amounts_cents`];
    const texts = input[`${list}_impacts`];
    const isOffered = list === 'preset' || input.frequencies.includes(list);
    if (amounts.filter((cents) => cents !== null).length > MAX_PRESETS)
      form.addError(field, `Enter at most ${MAX_PRESETS} amounts.`);
    for (const [row, cents] of amounts.entries()) {
      const problem =
        cents === null
          ? texts[row] && 'Enter the amount of this text.'
          : amounts.indexOf(cents) < row
            ? 'This amount is already in the list.'
            : isOffered && problemOf(cents);
      if (problem) form.addError(`${field}.${row}`, problem);
    }
  }
}
