import { brandOf, passesLuhn } from '../card-number.ts';
import type { FieldError } from './form-field.ts';

/** Formats and validates the values of the card fields; independent of the DOM. */

const DEFAULT_GROUPS = [4, 4, 4, 4];

/** Groups of digits by card brand. */
const GROUPS: Record<string, readonly number[]> = { amex: [4, 6, 5], diners: [4, 6, 4] };

export const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

const numberLength = (brand: string) => ({ amex: 15, diners: 14 })[brand] ?? 16;
export const cvcLength = (brand: string) => (brand === 'amex' ? 4 : 3);

export function formatNumber(text: string): string {
  const brand = brandOf(digitsOf(text));
  let rest = digitsOf(text).slice(0, numberLength(brand));
  const groups: string[] = [];
  for (const size of GROUPS[brand] ?? DEFAULT_GROUPS) {
    if (!rest) break;
    groups.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return groups.join(' ');
}

/**
 * Formats an expiration date while it is typed: `1234` → `12 / 34`, `4` → `04 / `, `12/2034` → `12
 * / 34`.
 *
 * @param deleting omits a trailing slash, so that backspace can delete the month
 */
export function formatExpiry(text: string, deleting = false): string {
  const [, alone] = /^\s*(\d)\s*[/-]/.exec(text) ?? [];
  let digits = digitsOf(text);
  if (alone || /^[2-9]/.test(digits)) digits = `0${digits}`;
  const month = digits.slice(0, 2);
  const year = digits.length === 6 ? digits.slice(4) : digits.slice(2, 4);
  if (year) return `${month} / ${year}`;
  return month.length === 2 && !deleting ? `${month} / ` : month;
}

export const formatCvc = (text: string, brand: string) => digitsOf(text).slice(0, cvcLength(brand));

export function checkNumber(text: string): FieldError | undefined {
  const digits = digitsOf(text);
  if (digits.length < numberLength(brandOf(digits))) {
    return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  }
  if (!passesLuhn(digits))
    return { code: 'invalid_number', message: 'Your card number is invalid.' };
  return undefined;
}

export function checkExpiry(text: string, now = new Date()): FieldError | undefined {
  const digits = digitsOf(text);
  if (digits.length < 4) {
    return { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." };
  }
  const { month, year } = readExpiry(text);
  if (month < 1 || month > 12) {
    return { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." };
  }
  if (year < now.getFullYear()) {
    return {
      code: 'invalid_expiry_year_past',
      message: "Your card's expiration year is in the past.",
    };
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    return {
      code: 'invalid_expiry_month_past',
      message: "Your card's expiration date is in the past.",
    };
  }
  if (year > now.getFullYear() + 50) {
    return { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." };
  }
  return undefined;
}

export function checkCvc(text: string, brand: string): FieldError | undefined {
  if (digitsOf(text).length >= cvcLength(brand)) return undefined;
  return { code: 'incomplete_cvc', message: "Your card's security code is incomplete." };
}

export function readExpiry(text: string) {
  const digits = digitsOf(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
}
