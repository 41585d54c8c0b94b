import { parseDecimalText, presetAmountsFor, type EmbedForm } from '@connect-embed/contract';

/** Values that a link to a giving page selects, as attributes of `<connect-donate>`. */
export interface Selection {
  amount?: string;
  frequency?: string;
  fund?: string;
}

/**
 * Reads the values that a link selects: `?amount=50&frequency=monthly&fund=fund_meals`. A value that the
 * form does not offer is ignored.
 */
export function readSelection(query: Record<string, string>, form: EmbedForm): Selection {
  const { frequency, fund, amount } = query;
  const { frequencies, fund_choices } = form.terms;
  const selection: Selection = {};
  if (frequencies.some((offered) => offered === frequency)) selection.frequency = frequency!;
  if (fund_choices.some(({ id }) => id === fund)) selection.fund = fund!;
  if (amount !== undefined && isOfferedAmount(amount, selection.frequency, form))
    selection.amount = amount;
  return selection;
}

/** Whether an amount, such as `50` or `12.50`, can be given with this form. */
function isOfferedAmount(amount: string, selected: string | undefined, form: EmbedForm): boolean {
  const { terms, currency } = form;
  const cents = parseDecimalText(amount, currency);
  if (cents === undefined) return false;
  const frequency = terms.frequencies.find((offered) => offered === selected);
  const presets = presetAmountsFor(terms, frequency ?? terms.default_frequency);
  return terms.amount_locked
    ? presets.includes(cents)
    : cents >= terms.min_amount_cents && cents <= terms.max_amount_cents;
}
