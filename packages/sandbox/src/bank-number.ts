/** Check digits of bank accounts, for the simulated payment form and the sandbox's API. */

/**
 * Verifies an IBAN without spaces (ISO 13616): its first four characters moved to the end, letters as numbers
 * from 10, the remainder of a division by 97 is 1.
 */
export function isValidIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((each) => parseInt(each, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Verifies the check digit of a US routing number: the digits weighted 3, 7, 1 add up to a multiple of ten. */
export function isValidRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, each, index) => total + Number(each) * [3, 7, 1][index % 3]!,
    0,
  );
  return sum % 10 === 0;
}
