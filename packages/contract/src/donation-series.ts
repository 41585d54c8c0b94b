import { z } from 'zod';
import { DonationSums, DonationSummaryQuery } from './donation.ts';
import { Timestamp, kind } from './field-schemas.ts';
import { TimeZone, oneOf } from './list-filters.ts';

/** Intervals of a donation series; weeks begin on Monday: docs/decisions/0045-filters-search-and-sums.md */
export const SERIES_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type SeriesInterval = (typeof SERIES_INTERVALS)[number];

/**
 * The query of `GET /donations/series`: the filters of `GET /donations`, the interval and the time
 * zone.
 */
export const DonationSeriesQuery = DonationSummaryQuery.extend({
  interval: oneOf(SERIES_INTERVALS).describe(
    'Length of an interval; by default chosen to suit the period.',
  ),
  time_zone: TimeZone,
});
export type DonationSeriesQuery = z.infer<typeof DonationSeriesQuery>;

/** Sums of the donations in each interval of a period, oldest first, without gaps. */
export const DonationSeries = z.object({
  object: kind('donation_series'),
  interval: z.enum(SERIES_INTERVALS).describe('Length of the intervals.'),
  time_zone: z.string().describe('IANA time zone in which the intervals begin.'),
  data: z
    .array(
      z.object({
        starts_on: z.iso
          .date()
          .describe(
            'First day of the interval in that time zone, even if `created_from` of the query is later.',
          ),
        created_from: Timestamp.describe(
          'Beginning of the interval, for the filter `created_from` of the list.',
        ),
        created_to: Timestamp.describe(
          'End of the interval, for the filter `created_to` of the list.',
        ),
        sums: z
          .array(DonationSums)
          .describe(
            'One entry for each currency, as in a summary; empty if the interval has no donations.',
          ),
      }),
    )
    .describe('The intervals, oldest first.'),
});
export type DonationSeries = z.infer<typeof DonationSeries>;
