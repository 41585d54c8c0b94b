import type { Frequency } from '@connect-embed/contract';

/** Months from one payment to the next. */
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;

/**
 * When the next payment of a recurring donation is due, as Stripe counts: at the same moment in UTC,
 * on the month's last day where the month has no such day.
 */
export function nextPayment(at: number, frequency: Exclude<Frequency, 'one_time'>): Date {
  const next = new Date(at);
  const day = next.getUTCDate();
  next.setUTCMonth(next.getUTCMonth() + MONTHS[frequency]);
  if (next.getUTCDate() !== day) next.setUTCDate(0);
  return next;
}
