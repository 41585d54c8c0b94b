import { currencyDecimals } from './currency.ts';

/**
 * Shows an amount as people of a language write it: `$1,250.00`, `1.250,00 €`, `￥500`.
 *
 * @param amountCents whole minor units, of any size that is a safe integer
 * @param currency ISO 4217 code in any case
 * @param locale BCP 47 tag; the platform's own when absent
 * @param options.trim leave out decimals that are all zero: `$50` (for amounts to choose from)
 */
export function formatMoney(
  amountCents: number,
  currency: string,
  locale?: string,
  { trim = false } = {},
): string {
  const decimals = currencyDecimals(currency);
  const scale = 10 ** decimals;
  const fractionDigits = trim && amountCents % scale === 0 ? 0 : decimals;
  return (formatters[`${locale} ${currency} ${fractionDigits}`] ??= new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }))
    .format(decimalText(amountCents, decimals) as Intl.StringNumericLiteral)
    .replace(SIGN_AFTER_LETTERS, '$&\u200e');
}

/**
 * Where a language runs from the right, the sign of a currency that has letters before it: `US$`.
 *
 * Between letters from the left and the end of what runs from the right, a sign stands at the end:
 * `US$` would be drawn as `$US`. A mark behind it keeps it with its letters.
 */
const SIGN_AFTER_LETTERS = /(?<=\u200f.*[A-Z])\p{Sc}/u;

/** Slow to make and asked for once a row: each is made once. There are few currencies. */
const formatters: Record<string, Intl.NumberFormat> = {};

/** Minor units as a plain decimal text, `-1250.05`: digits are moved, never divided as floats. */
export function decimalText(amountCents: number, decimals: number): `${number}` {
  const digits = String(Math.abs(amountCents)).padStart(decimals + 1, '0');
  const complete = digits.slice(0, digits.length - decimals);
  const fraction = decimals ? `.${digits.slice(-decimals)}` : '';
  return `${amountCents < 0 ? '-' : ''}${complete}${fraction}` as `${number}`;
}
