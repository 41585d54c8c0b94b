import { z } from 'zod';
import { DonationSums, DonationSummaryQuery } from './donation.ts';
import { Timestamp } from './field-schemas.ts';

/** How long a step of a series is; weeks begin on Monday: docs/decisions/0060-gifts-over-time.md */
export const SERIES_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type SeriesInterval = (typeof SERIES_INTERVALS)[number];

/** Longest name of a zone that any list has is half of it. */
const MAX_TIME_ZONE_LENGTH = 64;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The query of `GET /donations/series`: the filters of a list, and how to divide the time. */
export const DonationSeriesQuery = DonationSummaryQuery.extend({
  /** By default the finest in which the time makes a picture. */
  interval: z.enum(SERIES_INTERVALS, `must be one of ${SERIES_INTERVALS.join(', ')}.`).optional(),
  /** In whose days, weeks, months and years; by default in the organization's. */
  time_zone: z
    .string()
    .max(MAX_TIME_ZONE_LENGTH, 'must be a zone such as America/New_York.')
    .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/, 'must be a zone such as America/New_York.')
    .refine(isTimeZone, 'must be a zone such as America/New_York.')
    .optional(),
});
export type DonationSeriesQuery = z.infer<typeof DonationSeriesQuery>;

/** What was given in each step of a time, oldest first, with none left out; additive. */
export const DonationSeries = z.object({
  object: z.literal('donation_series'),
  interval: z.enum(SERIES_INTERVALS),
  /** Whose days it counts. */
  time_zone: z.string(),
  data: z.array(
    z.object({
      /** The first day of the step in that zone, also where filters begin later. */
      starts_on: z.iso.date(),
      /** The moments between which its gifts came, as the filters of a list take them. */
      created_from: Timestamp,
      created_to: Timestamp,
      /** As in a summary; empty where nothing was given. */
      sums: z.array(DonationSums),
    }),
  ),
});
export type DonationSeries = z.infer<typeof DonationSeries>;
