type Interval = 'day' | 'week' | 'month' | 'year';
export type BillingInterval = { interval: Interval; interval_count: number };

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Returns the end of the billing period of a simulated subscription that contains `timestamp`. All
 * times are in seconds since 1970.
 *
 * Periods are counted from the anchor and not from the previous period: 31 January is followed by
 * 28 February and 31 March.
 */
export function periodEnd(
  anchor: number,
  timestamp: number,
  { interval, interval_count }: BillingInterval,
) {
  for (let count = interval_count; ; count += interval_count) {
    const end = addInterval(anchor, interval, count);
    if (end > timestamp) return end;
  }
}

function addInterval(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * DAY_SECONDS;
  if (interval === 'week') return anchor + count * 7 * DAY_SECONDS;
  const months = interval === 'year' ? count * 12 : count;
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDayOfMonth = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
  ).getUTCDate();
  date.setUTCDate(Math.min(day, lastDayOfMonth));
  return date.getTime() / 1000;
}
