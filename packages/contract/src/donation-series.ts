import { z } from 'zod';
import { DonationSums, DonationSummaryQuery } from './donation.ts';
import { Timestamp } from './field-schemas.ts';
import { TimeZone } from './list-filters.ts';

/** Intervals of a donation series; weeks begin on Monday: docs/decisions/0045-filters-search-and-sums.md */
export const SERIES_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type SeriesInterval = (typeof SERIES_INTERVALS)[number];

/**
 * The query of `GET /donations/series`: the filters of `GET /donations`, the interval and the time
 * zone.
 */
export const DonationSeriesQuery = DonationSummaryQuery.extend({
  /** Length of the intervals; when absent, the API chooses it by the length of the period. */
  interval: z.enum(SERIES_INTERVALS, `must be one of ${SERIES_INTERVALS.join(', ')}.`).optional(),
  /** Time zone in which days, weeks, months and years begin; the organization's when absent. */
  time_zone: TimeZone,
});
export type DonationSeriesQuery = z.infer<typeof DonationSeriesQuery>;

/** Sums of the donations in each interval of a period, oldest first, without gaps. */
export const DonationSeries = z.object({
  object: z.literal('donation_series'),
  interval: z.enum(SERIES_INTERVALS),
  /** Time zone in which the intervals begin. */
  time_zone: z.string(),
  data: z.array(
    z.object({
      /**
       * First day of the interval in that time zone, even if `created_from` of the query is later.
       */
      starts_on: z.iso.date(),
      /**
       * Bounds of the interval, in the format of the list filters `created_from` and `created_to`.
       */
      created_from: Timestamp,
      created_to: Timestamp,
      /** One entry for each currency, as in a summary; empty if the interval has no donations. */
      sums: z.array(DonationSums),
    }),
  ),
});
export type DonationSeries = z.infer<typeof DonationSeries>;
