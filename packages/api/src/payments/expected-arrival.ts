import { DEBIT_BUSINESS_DAYS, isDebit } from '@connect-embed/contract';

/**
 * Returns when the money of a bank debit usually arrives. Weekends are skipped; bank holidays are not known here.
 *
 * @returns null for other payment methods, whose money does not take days
 */
export function expectedArrival(paymentMethod: string | null, confirmedAt: Date): Date | null {
  if (!isDebit(paymentMethod)) return null;
  const date = new Date(confirmedAt);
  for (let days = DEBIT_BUSINESS_DAYS[paymentMethod]; days > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (!isWeekend) days -= 1;
  }
  return date;
}
