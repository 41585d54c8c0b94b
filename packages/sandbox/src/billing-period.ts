import type { Interval } from './objects/price.ts';

export type BillingInterval = { interval: Interval; interval_count: number };

const DAY = 24 * 60 * 60;

/**
 * The end of the period that `moment` lies in, counted from the anchor and not from the last
 * period: the 31st of January leads over the 28th of February to the 31st of March.
 */
export function periodEnd(
  anchor: number,
  moment: number,
  { interval, interval_count }: BillingInterval,
) {
  for (let count = interval_count; ; count += interval_count) {
    const end = addInterval(anchor, interval, count);
    if (end > moment) return end;
  }
}

function addInterval(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * DAY;
  if (interval === 'week') return anchor + count * 7 * DAY;
  const months = interval === 'year' ? count * 12 : count;
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}
