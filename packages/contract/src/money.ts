import { currencyDecimals, currencyStep } from './currency.ts';
import { invalidRequest } from './error.ts';

// Formatting is in a separate file, so that a page that only shows amounts does not load the
// parser.
export { decimalText, formatMoney } from './format-money.ts';

const BIDI_MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g;

/**
 * Parses an amount that a donor typed, in the notation of the donor's language.
 *
 * Works on digits, not floats: 19.99 * 100 is not 1999. Accepts the symbol and code of the
 * currency, group separators, and the digits of the language (`١٢٫٥٠`). If the text is ambiguous
 * (`1.234`), the language determines the decimal separator.
 *
 * @param text for example `25`, `25.5`, `$1,250.00`, `1.234,50 €`, `US$ 5`, `5.–`
 * @param currency ISO 4217 code in any case
 * @param locale BCP 47 tag of the donor's language
 * @returns minor units
 * @throws {ConnectError} `invalid_request` naming `amount_cents` when `text` is not an amount
 */
export function parseMoney(text: string, currency: string, locale = 'en'): number {
  const amountError = (problem = `must be an amount of money, not "${text}".`) =>
    invalidRequest('amount_cents', problem);
  const decimals = currencyDecimals(currency);
  const plain = stripCurrency(latinDigits(text), currency, locale);
  const parts = splitDecimals(plain, decimalMark(currency, locale), decimals);
  if (!parts) throw amountError();
  const { whole, fraction } = parts;
  if (/[1-9]/.test(fraction.slice(decimals))) {
    throw amountError(`must have at most ${decimals} decimals in ${currency.toUpperCase()}.`);
  }
  const cents = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(cents)) throw amountError();
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
      (display) => currencyPart('currency', language, code, display) ?? code,
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

const normalizeText = (text: string) =>
  text.replace(BIDI_MARKS, '').normalize('NFKC').toUpperCase();

const currencyPart = (
  type: 'currency' | 'decimal',
  locale: string,
  currency: string,
  currencyDisplay: 'symbol' | 'narrowSymbol' = 'symbol',
) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
    .formatToParts(1)
    .find((part) => part.type === type)?.value;

/**
 * Returns the decimal separator of a currency in a locale. The separator of amounts may differ from
 * that of numbers: French in Switzerland has `1,5` but `1.50 CHF`.
 */
const decimalMark = (currency: string, locale: string) =>
  currencyPart('decimal', locale, currency) === ',' ? ',' : '.';

/**
 * Splits a number at its decimal separator, and checks the positions of the group separators.
 *
 * The last separator is the decimal one if it differs from the separators before it, or if it is
 * not followed by three digits; otherwise the language determines it.
 */
function splitDecimals(text: string, mark: string, decimals: number) {
  const number = text
    .replaceAll('\u066b', mark)
    .replaceAll('\u066c', "'")
    .replaceAll('\u060c', ',') // Arabic keyboards may lack the decimal and group separators.
    .replace(/[.,][-–—]+$/, ''); // `5.–` means 5 without cents.
  if (!/^[\d.,'’ ]*\d[.,]?$/.test(number)) return undefined;
  const marks = number.replace(/\d/g, '');
  const last = marks.at(-1) ?? '';
  const markIndex = number.lastIndexOf(last);
  const tail = number.slice(markIndex + 1);
  const isSingleMark = marks.length === 1 && (tail.length !== 3 || (decimals > 0 && last === mark));
  const marksDiffer = marks.length > 1 && marks.at(-2) !== last;
  const isDecimal = /[.,]/.test(last) && (isSingleMark || marksDiffer);
  const groups = isDecimal ? number.slice(0, markIndex) : number;
  if (!/^\d*$|^\d{1,3}(?:[.,'’ ]\d{2,3})*[.,'’ ]\d{3}$/.test(groups)) return undefined;
  if (new Set(groups.replace(/\d/g, '')).size > 1) return undefined;
  return { whole: groups.replace(/\D/g, ''), fraction: isDecimal ? tail : '' };
}
