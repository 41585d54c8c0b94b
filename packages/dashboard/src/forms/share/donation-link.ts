import { formatMoney, presetAmountsFor, type DonationTerms } from '@connect-embed/contract';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { givingQuery, givingUrl } from '@connect-embed/api/lib/giving-url';
import { FormFields } from '../../pages/fields.ts';
import type { DashboardContext } from '../../pages/env.ts';
import { money, notAsked, recordId, type FieldsOf } from '../../pages/field-types.ts';
import { readInput } from '../../pages/form.ts';
import { FREQUENCY_LABELS } from '../frequency-labels.ts';

/** What a link selects in the form. */
interface LinkInput {
  amount_cents: number | null;
  frequency: string | null;
  fund: string | null;
}

/** The form whose link is shared. */
export interface SharedForm {
  slug: string;
  /** The published terms. */
  terms: DonationTerms;
  currency: string;
}

/** The fields with which a member builds a link. A form without a choice has no field for it. */
export const linkFields = ({ terms, currency }: SharedForm): FieldsOf<LinkInput> => ({
  amount_cents: money({ label: 'Amount', currency, min: 1, half: true }),
  frequency:
    terms.frequencies.length > 1
      ? recordId({
          label: 'How often',
          none: 'As in the form',
          choices: terms.frequencies.map((value) => ({ value, text: FREQUENCY_LABELS[value] })),
          half: true,
        })
      : notAsked<string | null>(null),
  fund:
    terms.fund_choices.length > 1
      ? recordId({
          label: 'Fund',
          none: 'As in the form',
          choices: terms.fund_choices.map(({ id, name }) => ({ value: id, text: name })),
        })
      : notAsked<string | null>(null),
});

/** The link that a page shares: the query of that page, which selects values, and its address. */
export interface DonationLink {
  /** The submitted fields with their errors. */
  fields: FormFields;
  /** Whether the link selects any value. */
  isCustom: boolean;
  /** The query of the link, such as `?amount=50`, or an empty text. */
  query: string;
  url: string;
}

/**
 * Reads the link from the query of the page. A value that the form does not offer is an error of its
 * field, and the link does not contain it.
 */
export function readDonationLink(
  c: DashboardContext,
  form: SharedForm,
  server: string,
): DonationLink {
  const fields = new FormFields(new URL(c.req.url).searchParams);
  const input = readInput(linkFields(form), fields);
  checkLink(input, fields, form);
  const { amount_cents, frequency, fund } = input;
  const query = fields.hasErrors
    ? ''
    : givingQuery({ amount_cents, currency: form.currency, frequency, fund });
  return {
    fields,
    isCustom: query !== '',
    query,
    url: givingUrl({ server, form: form.slug }, query),
  };
}

function checkLink(
  { amount_cents: cents, frequency, fund }: LinkInput,
  fields: FormFields,
  { terms, currency }: SharedForm,
): void {
  const offered = terms.frequencies.find((value) => value === frequency);
  if (frequency !== null && !offered) fields.addError('frequency', 'The form does not offer it.');
  if (fund !== null && !terms.fund_choices.some(({ id }) => id === fund))
    fields.addError('fund', 'The form does not offer it.');
  if (cents === null || fields.hasErrors) return;
  const format = (amount: number) => formatMoney(amount, currency, LOCALE, { trim: true });
  const presets = presetAmountsFor(terms, offered ?? terms.default_frequency);
  if (terms.amount_locked && !presets.includes(cents))
    fields.addError('amount', `The form offers only ${presets.map(format).join(', ')}.`);
  if (cents < terms.min_amount_cents || cents > terms.max_amount_cents)
    fields.addError(
      'amount',
      `Must be between ${format(terms.min_amount_cents)} and ${format(terms.max_amount_cents)}.`,
    );
}
