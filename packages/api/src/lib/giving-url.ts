import { currencyDecimals, decimalText } from '@connect-embed/contract';

/** What a link to a giving page selects in the form: docs/decisions/0100-giving-pages.md */
interface Selection {
  amount_cents?: number | null;
  currency: string;
  frequency?: string | null;
  fund?: string | null;
}

/**
 * Returns the query of a link to a giving page, such as `?amount=50`, or an empty text. The page ignores what its
 * form does not offer.
 */
export function givingQuery({ amount_cents, currency, frequency, fund }: Selection): string {
  const params = new URLSearchParams();
  if (amount_cents) params.set('amount', amountInLink(amount_cents, currency));
  if (frequency) params.set('frequency', frequency);
  if (fund) params.set('fund', fund);
  return params.size > 0 ? `?${params}` : '';
}

/**
 * The permanent URL of a form's page on the server (BFF).
 *
 * @param page.form slug of a form of the dashboard, or name of one of the configuration file, in which `/` separates
 *   the organization on a platform
 */
export const givingUrl = ({ server, form }: { server: string; form: string }, query = ''): string =>
  `${server}/give/${form.split('/').map(encodeURIComponent).join('/')}${query}`;

/** The amount as a giving page reads it: `50` or `12.50`. */
const amountInLink = (cents: number, currency: string) =>
  decimalText(cents, currencyDecimals(currency)).replace(/\.0+$/, '');
