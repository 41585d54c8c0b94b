import { currencyDecimals } from './currency.ts';

/**
 * Parses what `decimalText` writes, with a decimal point in every language, to minor units: `25`, `25.50`.
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
