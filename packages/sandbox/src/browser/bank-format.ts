import { isValidIban, isValidRoutingNumber } from '../bank-number.ts';
import { digitsOf } from './card-format.ts';
import type { FieldError } from './form-field.ts';

/** Formats and validates bank accounts and their holders; independent of the DOM. */

/** Lengths of the shortest and the longest IBAN. */
const IBAN_LENGTH = { min: 15, max: 34 };

/** Lengths of an account number at a US bank. */
const ACCOUNT_LENGTH = { min: 4, max: 17 };

const ROUTING_NUMBER_LENGTH = 9;

export const compactIban = (text: string) =>
  text
    .replaceAll(/[^0-9a-z]/gi, '')
    .toUpperCase()
    .slice(0, IBAN_LENGTH.max);

/** Groups an IBAN as it is printed: `AT61 1904 3002 3457 3201`. */
export const formatIban = (text: string) => compactIban(text).replaceAll(/(.{4})(?=.)/g, '$1 ');

export function checkIban(text: string): FieldError | undefined {
  const iban = compactIban(text);
  if (iban.length < IBAN_LENGTH.min) {
    return { code: 'incomplete_iban', message: 'Your IBAN is incomplete.' };
  }
  if (isValidIban(iban)) return undefined;
  return { code: 'invalid_iban', message: 'Your IBAN is invalid.' };
}

export const formatRoutingNumber = (text: string) => digitsOf(text).slice(0, ROUTING_NUMBER_LENGTH);

export function checkRoutingNumber(text: string): FieldError | undefined {
  if (text.length < ROUTING_NUMBER_LENGTH) {
    return { code: 'incomplete_routing_number', message: 'Your routing number is incomplete.' };
  }
  if (isValidRoutingNumber(text)) return undefined;
  return { code: 'invalid_routing_number', message: 'Your routing number is invalid.' };
}

export const formatAccountNumber = (text: string) => digitsOf(text).slice(0, ACCOUNT_LENGTH.max);

export function checkAccountNumber(text: string): FieldError | undefined {
  if (text.length >= ACCOUNT_LENGTH.min) return undefined;
  return { code: 'incomplete_account_number', message: 'Your account number is incomplete.' };
}

export const checkName = (text: string): FieldError | undefined =>
  text.trim() ? undefined : { code: 'incomplete_name', message: 'Your full name is incomplete.' };

export const checkEmail = (text: string): FieldError | undefined =>
  /^\S+@\S+$/.test(text.trim())
    ? undefined
    : { code: 'incomplete_email', message: 'Your email is incomplete.' };
