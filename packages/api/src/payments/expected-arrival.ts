import { DEBIT_BUSINESS_DAYS, isDebit } from '@connect-embed/contract';

/**
 * Returns when the money of a bank debit usually arrives.
 *
 * @returns null for other payment methods, whose money does not take days
 */
export const expectedArrival = (paymentMethod: string | null, confirmedAt: Date): Date | null =>
  isDebit(paymentMethod) ? addBusinessDays(confirmedAt, DEBIT_BUSINESS_DAYS[paymentMethod]) : null;

/** Adds business days to a time. Weekends are skipped; bank holidays are not known here. */
export function addBusinessDays(from: Date, businessDays: number): Date {
  const date = new Date(from);
  for (let days = businessDays; days > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (!isWeekend) days -= 1;
  }
  return date;
}
