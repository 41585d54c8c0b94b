import { currencyDecimals, currencyStep } from './currency.ts';
import { ConnectError, invalidRequest } from './error.ts';

// Formatting is in a separate file, so that a page that only shows amounts does not load the
// parser.
import { decimalText, formatMoney } from './format-money.ts';
export { decimalText, formatMoney, parseDecimalText } from './format-money.ts';

/** Marks of direction, zero-width spaces and other characters that nobody sees. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * Thrown for an amount with two readings, such as `1.250` dinars: 1.250 or 1,250. Ask the donor.
 *
 * Only currencies with three decimals have such amounts.
 */
export class AmbiguousAmountError extends ConnectError {
  /** Both readings in minor units, the smaller one first. */
  readonly readings: readonly [number, number];

  constructor(readings: readonly [number, number]) {
    super('invalid_request', 'amount_cents can be read in two ways.', { param: 'amount_cents' });
    this.readings = readings;
  }
}

/**
 * Parses an amount that a donor typed, in the notation of any language.
 *
 * Works on digits, not floats: 19.99 * 100 is not 1999. Accepts the symbol and code of the
 * currency, group separators, and the digits of any script (`١٢٫٥٠`).
 *
 * The result does not depend on the language, because donors do not always write as the page does: of
 * two different marks the last one separates decimals, and one mark before exactly three digits separates
 * thousands, since nobody writes three decimals of a currency with two.
 *
 * @param text for example `25`, `25.5`, `$1,250.00`, `1.234,50 €`, `US$ 5`, `5.–`
 * @param currency ISO 4217 code in any case
 * @param locale BCP 47 tag of the language whose currency symbols are accepted, in addition to English ones
 * @returns minor units
 * @throws {AmbiguousAmountError} in a currency with three decimals, if the only mark is before exactly three
 *   digits
 * @throws {ConnectError} `invalid_request` naming `amount_cents` when `text` is not an amount
 */
export function parseMoney(text: string, currency: string, locale = 'en'): number {
  const plain = stripCurrency(latinDigits(text), currency, locale);
  const parts = splitDecimals(plain);
  if (!parts) throw amountError(`must be an amount of money, not "${text}".`);
  const { whole, fraction, isThousands } = parts;
  if (isThousands && currencyDecimals(currency) === 3) {
    throw new AmbiguousAmountError([
      minorUnits(whole, fraction, currency),
      minorUnits(whole + fraction, '', currency),
    ]);
  }
  return isThousands
    ? minorUnits(whole + fraction, '', currency)
    : minorUnits(whole, fraction, currency);
}

/**
 * Both readings of an ambiguous amount for a message: `small` and `large` as money, and how to type them
 * so that they are clear: `1.25` and `1250`.
 */
export function describeReadings(
  { readings }: AmbiguousAmountError,
  currency: string,
  locale: string,
): Record<'small' | 'large' | 'smallText' | 'largeText', string> {
  const [small, large] = readings;
  const text = (cents: number, fractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      useGrouping: false,
      minimumFractionDigits: fractionDigits,
      maximumFractionDigits: fractionDigits,
    }).format(decimalText(cents, currencyDecimals(currency)));
  return {
    small: formatMoney(small, currency, locale),
    large: formatMoney(large, currency, locale, { trim: true }),
    smallText: text(small, 2), // A step of ten minor units has no third decimal.
    largeText: text(large, 0),
  };
}

const amountError = (problem: string) => invalidRequest('amount_cents', problem);

/**
 * Converts the digits of an amount to minor units.
 *
 * @throws {ConnectError} if the currency has no such amount
 */
function minorUnits(whole: string, fraction: string, currency: string): number {
  const decimals = currencyDecimals(currency);
  // Nobody writes more decimals than money has, even if they are 0: `1234,500` and `1,0000` are groups of
  // digits, and may be a thousand times as much. Two are written in every currency: `500.00` yen.
  const hasGroups = fraction.length > Math.max(decimals, 2);
  if (hasGroups || /[1-9]/.test(fraction.slice(decimals))) {
    throw amountError(`must have at most ${decimals} decimals in ${currency.toUpperCase()}.`);
  }
  const cents = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(cents)) throw amountError('must be a smaller amount.');
  const step = currencyStep(currency);
  if (cents % step)
    throw amountError(`must be a multiple of ${step} minor units in this currency.`);
  return cents;
}

/**
 * Converts digits of any decimal numbering system to `0` to `9`, and all kinds of spaces to one.
 */
function latinDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0)! - zero < 9) {
      zero -= 1;
    }
    return String(digit.codePointAt(0)! - zero);
  });
}

/** Currency symbols that people type and `Intl` does not know. */
const EXTRA_SYMBOLS: Record<string, string> = {
  INR: 'Rs. Rs',
  JPY: '円',
  CNY: '元',
  CHF: 'Fr. Fr',
};

/**
 * Removes the currency code and one symbol: `US$5`, `5 USD`, `$5 USD`. Other currencies are not
 * removed.
 */
function stripCurrency(text: string, currency: string, locale: string): string {
  const code = currency.toUpperCase();
  const symbols = [locale, 'en'].flatMap((language) =>
    (['symbol', 'narrowSymbol'] as const).map(
      (display) => symbolOf(code, language, display) ?? code,
    ),
  );
  const narrow = symbols.at(-1) ?? '';
  symbols.push(code.slice(0, 2) + narrow, code.charAt(0) + narrow); // `US$`, `A$`
  const names = [...symbols, ...(EXTRA_SYMBOLS[code]?.split(' ') ?? [])].map(normalizeText);
  names.sort((first, second) => second.length - first.length); // Longest first: `NT$` ends with `T$`.
  return stripAffix(stripAffix(normalizeText(text).trim(), [code]), names);
}

function stripAffix(text: string, names: readonly string[]): string {
  for (const name of names) {
    if (text.startsWith(name)) return text.slice(name.length).trim();
    if (text.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text;
}

const normalizeText = (text: string) => text.replace(INVISIBLE, '').normalize('NFKC').toUpperCase();

const symbolOf = (
  currency: string,
  locale: string,
  currencyDisplay: 'symbol' | 'narrowSymbol',
): string | undefined =>
  (symbols[`${currency} ${locale} ${currencyDisplay}`] ??= new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
  })
    .formatToParts(1)
    .find((part) => part.type === 'currency')?.value);

/** Cached symbols: a search reads its text in every currency. */
const symbols: Record<string, string | undefined> = {};

/**
 * Splits a number at its decimal separator, and checks the positions of the group separators.
 *
 * The last separator is the decimal one if it differs from the separators before it, or if it is the only
 * one.
 *
 * @returns `isThousands` if the only separator could also separate thousands: `1.250`, but not `0.250` or
 *   `1250.500`
 */
function splitDecimals(text: string) {
  const number = text
    .replace(/\s/g, ' ')
    .replace(/[\u066c‘’ʼ]/g, "'") // Apostrophes, and the Arabic group separator.
    .replace(/[\u060c、]/g, ',') // Arabic and Japanese keyboards may lack the separators of numbers.
    .replace(/[.,][-–—]+$/, ''); // `5.–` means 5 without cents.
  if (!/^[\d.,\u066b' ]*\d[.,\u066b]?$/.test(number)) return undefined;
  const marks = number.replace(/\d/g, '');
  const last = marks.at(-1) ?? '';
  const isDecimal = /[.,\u066b]/.test(last) && (marks.length === 1 || marks.at(-2) !== last);
  const markIndex = number.lastIndexOf(last);
  const groups = isDecimal ? number.slice(0, markIndex) : number;
  if (!/^\d*$|^[1-9]\d{0,2}(?:[.,' ]\d{2,3})*[.,' ]\d{3}$/.test(groups)) return undefined;
  if (new Set(groups.replace(/\d/g, '')).size > 1) return undefined;
  return {
    whole: groups.replace(/\D/g, ''),
    fraction: isDecimal ? number.slice(markIndex + 1) : '',
    isThousands: /^[1-9]\d{0,2}[.,]\d{3}$/.test(number),
  };
}
