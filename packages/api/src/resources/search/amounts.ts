import { ConnectError, currencySymbol, formatMoney } from '@connect-embed/contract';
import { AmbiguousAmountError, parseMoney } from '@connect-embed/contract/money';

export interface Amount {
  currency: string;
  cents: number;
}

/** A number, with at most a few other characters before or after it. */
const AMOUNT = /^\P{Nd}{0,8}\p{Nd}[\p{Nd}\s.,'’\u066b\u066c]*\P{Nd}{0,8}$/u;

/** Whether a text contains a letter or the sign of a currency. */
export const mayNameCurrency = (text: string): boolean => /[\p{L}\p{Sc}]/u.test(text);

/**
 * Reads a text as an amount of money in each currency that it can mean: `€50` in euros only, `50` in all currencies.
 *
 * A sign that several currencies share is the organization's: `$` is the Canadian dollar for an organization
 * in Canada. Otherwise it is the currency that has this sign in English, and all of them if there is none (`kr`).
 *
 * @param ownCurrency the organization's currency
 * @returns empty if the text is not an amount
 */
export function readAmounts(text: string, ownCurrency?: string): Amount[] {
  const unsigned = toUnsigned(text);
  if (unsigned === undefined) return [];
  const amounts = currencies.flatMap((currency) =>
    readingsIn(unsigned, currency).map((cents) => ({ currency, cents })),
  );
  if (!mayNameCurrency(unsigned)) return amounts;
  const own = amounts.filter(({ currency }) => currency === ownCurrency);
  if (own.length > 0) return own;
  const named = amounts.filter(({ currency }) =>
    unsigned.includes(currencySymbol(formatMoney(0, currency, 'en', { trim: true })).symbol),
  );
  return named.length > 0 ? named : amounts;
}

const currencies = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());

/**
 * Reads a text as an amount of one currency, in minor units. Some amounts have two readings.
 *
 * @returns empty if the text is not an amount of this currency
 */
export function readAmountsIn(currency: string, text: string): readonly number[] {
  const unsigned = toUnsigned(text);
  return unsigned === undefined ? [] : readingsIn(unsigned, currency);
}

/** The text without a minus sign; undefined if it is not an amount of any currency. */
function toUnsigned(text: string): string | undefined {
  const unsigned = text
    .normalize('NFKC')
    .trim()
    .replace(/^[-\u2212]/, '');
  return AMOUNT.test(unsigned) ? unsigned : undefined;
}

function readingsIn(unsigned: string, currency: string): readonly number[] {
  try {
    // English signs are always read. French is the only language of ours that writes `$US`.
    return [parseMoney(unsigned, currency, 'fr')];
  } catch (error) {
    if (error instanceof AmbiguousAmountError) return error.readings;
    if (error instanceof ConnectError) return [];
    throw error;
  }
}
