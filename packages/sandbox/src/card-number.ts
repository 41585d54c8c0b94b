/** Brand and check digit of a card number, for the simulated card form and the sandbox's API. */

const BRANDS: readonly [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^35(2[89]|[3-8])/, 'jcb'],
  [/^3(0[0-5]|[68])/, 'diners'],
  [/^62/, 'unionpay'],
];

/** @param digits the digits that were typed so far */
export const brandOf = (digits: string) =>
  BRANDS.find(([prefix]) => prefix.test(digits))?.[1] ?? 'unknown';

/** Verifies the check digit (Luhn, ISO/IEC 7812), which detects any single wrong digit. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
