import { currencyDecimals } from './currency.ts';

/**
 * Formats an amount in the notation of a language: `$1,250.00`, `1.250,00 €`, `￥500`.
 *
 * @param amountCents minor units: any safe integer
 * @param currency ISO 4217 code in any case
 * @param locale BCP 47 tag; the platform's default when absent
 * @param options.trim omits decimals that are all zero: `$50` (for preset amounts)
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
  const formatter = (formatters[`${locale} ${currency} ${fractionDigits}`] ??=
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: fractionDigits,
      maximumFractionDigits: fractionDigits,
    }));
  return addDirectionMarks(formatter.format(decimalText(amountCents, decimals)));
}

/**
 * Adds the marks that text from right to left needs: a left-to-right mark after a currency sign that follows letters
 * (`US$`), which would be shown as `$US`, and a right-to-left mark after a negative number, whose currency would be
 * shown on the other side than that of a positive one.
 *
 * @param amount as formatted by `Intl.NumberFormat`
 */
export const addDirectionMarks = (amount: string): string =>
  amount
    .replace(/(?<=[\u0590-\u08ff\u200f].*[A-Z])\p{Sc}/u, '$&\u200e')
    .replace(/(?<=\u200f\u200e-[\d.,]+)\u00a0/u, '\u200f$&');

/** Cached formatters: creating a formatter is slow, and tables format one amount per row. */
const formatters: Record<string, Intl.NumberFormat> = {};

/**
 * Formats minor units as a decimal number such as `-1250.05`; it shifts digits instead of dividing
 * floats.
 */
export function decimalText(amountCents: number, decimals: number): `${number}` {
  const digits = String(Math.abs(amountCents)).padStart(decimals + 1, '0');
  const complete = digits.slice(0, digits.length - decimals);
  const fraction = decimals ? `.${digits.slice(-decimals)}` : '';
  return `${amountCents < 0 ? '-' : ''}${complete}${fraction}` as `${number}`;
}

/**
 * Parses what {@link decimalText} writes, with a decimal point in every language, to minor units: `25`, `25.50`.
 * For amounts in attributes and addresses; `parseMoney` reads what people type.
 *
 * @returns undefined if the text is not such a number, or has more decimals than the currency
 */
export function parseDecimalText(text: string, currency: string): number | undefined {
  const decimals = currencyDecimals(currency);
  const [match, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
  if (match === undefined || fraction.length > decimals) return undefined;
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`);
}
