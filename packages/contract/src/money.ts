import { currencyDecimals, currencyStep } from './currency.ts';
import { invalidRequest } from './error.ts';

const SPACES = /[\s\u00a0\u202f]/g;
const BIDI_MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g;

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
  const shown = trim && amountCents % scale === 0 ? 0 : decimals;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(decimalText(amountCents, decimals) as Intl.StringNumericLiteral);
}

/** Minor units as a plain decimal text, `-1250.05`: digits are moved, never divided as floats. */
export function decimalText(amountCents: number, decimals: number): `${number}` {
  const digits = String(Math.abs(amountCents)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals ? `.${digits.slice(-decimals)}` : '';
  return `${amountCents < 0 ? '-' : ''}${whole}${fraction}` as `${number}`;
}

/**
 * Reads what a donor typed into an amount field, in the donor's own way of writing.
 *
 * Works on digits, not floats: 19.99 * 100 is not 1999. Takes the currency's symbol or code,
 * group separators, and the digits of the language (`١٢٫٥٠`). Where the text alone leaves doubt
 * (`1.234`), the language decides which mark is the decimal one.
 *
 * @param text as typed: `25`, `25.5`, `$1,250.00`, `1.234,50 €`
 * @param currency ISO 4217 code in any case
 * @param locale BCP 47 tag of the donor's language
 * @returns whole minor units
 * @throws {ConnectError} `invalid_request` naming `amount_cents` when `text` is not an amount
 */
export function parseMoney(text: string, currency: string, locale = 'en'): number {
  const refuse = (problem = `"${text}" is not an amount of money.`) =>
    invalidRequest('amount_cents', problem);
  const decimals = currencyDecimals(currency);
  const plain = withoutCurrency(latinDigits(text), currency, locale);
  const { whole, fraction } = splitDecimals(plain, decimalMark(locale), decimals) ?? {};
  if (whole === undefined || fraction === undefined) throw refuse();
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) {
    throw refuse(`${currency.toUpperCase()} has ${decimals} decimals, not ${fraction.length}.`);
  }
  const cents = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(cents)) throw refuse();
  if (cents % currencyStep(currency)) throw refuse('the last digit must be 0 in this currency.');
  return cents;
}

/** Digits of any decimal numbering system, as `0` to `9`. */
function latinDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0)! - zero < 9) {
      zero -= 1;
    }
    return String(digit.codePointAt(0)! - zero);
  });
}

function withoutCurrency(text: string, currency: string, locale: string): string {
  const code = currency.toUpperCase();
  const names = [locale, 'en'].flatMap((language) =>
    (['symbol', 'narrowSymbol'] as const).map(
      (currencyDisplay) =>
        new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay })
          .formatToParts(0)
          .find(({ type }) => type === 'currency')?.value ?? code,
    ),
  );
  const plain = text.replace(BIDI_MARKS, '').replace(SPACES, '').toUpperCase();
  for (const name of [code, ...names]) {
    const mark = name.replace(BIDI_MARKS, '').replace(SPACES, '').normalize('NFKC').toUpperCase();
    if (plain.startsWith(mark)) return plain.slice(mark.length);
    if (plain.endsWith(mark)) return plain.slice(0, -mark.length);
  }
  return plain;
}

const decimalMark = (locale: string) =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
  '.';

/**
 * Parts a number at its decimal mark, and checks that group marks stand where groups end.
 *
 * The last mark is the decimal one when it differs from the marks before it, or when it cannot
 * close a group of three; else the language's own decimal mark decides.
 */
function splitDecimals(text: string, localeMark: string, decimals: number) {
  const number = text.replaceAll('\u066b', localeMark === ',' ? ',' : '.').replaceAll('\u066c', '');
  const mark = localeMark === ',' ? ',' : '.';
  if (!/^\d[\d.,'’]*$/.test(number)) return undefined;
  const marks = number.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return { whole: number, fraction: '' };
  const at = number.lastIndexOf(last);
  const tail = number.slice(at + 1);
  const differs = marks.length > 1 && marks.at(-2) !== last;
  const alone = marks.length === 1;
  const isDecimal = differs || (alone && decimals > 0 && (last === mark || tail.length !== 3));
  const groups = isDecimal ? number.slice(0, at) : number;
  if (!/^\d+$|^\d{1,3}(?:([.,'’])\d{2,3})*$/.test(groups)) return undefined;
  if (new Set(groups.replace(/\d/g, '')).size > 1) return undefined;
  if (/[.,'’]\d{2}$/.test(groups) && !/^\d+$/.test(groups)) return undefined;
  return { whole: groups.replace(/\D/g, ''), fraction: isDecimal ? tail : '' };
}
