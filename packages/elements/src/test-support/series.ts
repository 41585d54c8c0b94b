import type { DonationSeries, DonationSums } from '@connect-embed/contract';
import { jsonResponse } from './server.ts';

export const createSums = (change: Partial<DonationSums> = {}): DonationSums => ({
  currency: 'usd',
  count: 2,
  gross_cents: 10_000,
  net_cents: 9_500,
  refunded_cents: 0,
  disputed_cents: 0,
  fee_cents: 500,
  dispute_fee_cents: 0,
  ...change,
});

/** The API's donation series of a year by month: no donations in February, one refund in December. */
export function yearlySeries(change: Partial<DonationSums> = {}): DonationSeries {
  const steps = Array.from({ length: 12 }, (_, month) => {
    const sums = createSums({
      count: month + 1,
      gross_cents: (month + 1) * 10_000,
      net_cents: (month + 1) * 9_500,
      refunded_cents: month === 11 ? 2_500 : 0,
      ...change,
    });
    return {
      starts_on: new Date(Date.UTC(2026, month)).toISOString().slice(0, 10),
      created_from: new Date(Date.UTC(2026, month)).toISOString(),
      created_to: new Date(Date.UTC(2026, month + 1)).toISOString(),
      sums: month === 1 ? [] : [sums],
    };
  });
  return { object: 'donation_series', interval: 'month', time_zone: 'UTC', data: steps };
}

export const seriesResponse = (series: DonationSeries = yearlySeries()) => jsonResponse(series);
