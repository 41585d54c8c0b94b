import type { Reader } from './params.ts';
import { integer, text } from './params.ts';
import { invalidParamError } from './stripe-error.ts';

/**
 * Stripe's smallest and largest charge in minor units; the real minimum differs little by currency.
 */
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

const formatIn = (currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency });

/** Number of decimals of a currency. A few currencies have other decimals at Stripe. */
export const currencyDecimals = (currency: string) =>
  formatIn(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** Formats an amount for display: `$25.00`. */
export const formatMoney = (amount: number, currency: string): string =>
  formatIn(currency).format(amount / 10 ** currencyDecimals(currency));

export const amount: Reader<number> = (value, name) => {
  const cents = integer(value, name);
  if (cents < 1) {
    throw invalidParamError(
      name,
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    );
  }
  if (cents < MIN_AMOUNT) {
    throw invalidParamError(name, `Amount must be at least ${MIN_AMOUNT}.`, 'amount_too_small');
  }
  if (cents > MAX_AMOUNT) {
    throw invalidParamError(name, `Amount must be no more than ${MAX_AMOUNT}.`, 'amount_too_large');
  }
  return cents;
};

/** ISO 4217 codes in upper case; Stripe's API returns them in lower case. */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export const currency: Reader<string> = (value, name) => {
  const code = text(value, name);
  if (CURRENCIES.has(code.toUpperCase())) return code.toLowerCase();
  throw invalidParamError(name, `Invalid currency: ${code}`);
};
