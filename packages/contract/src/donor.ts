import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';
import { DateTimeFilter, oneOf, SearchText, TimeZone } from './list-filters.ts';
import { ListQuery } from './list.ts';

/** A person or household that has donated (spec: donor). */
export const Donor = z.object({
  id: z.string(),
  object: z.literal('donor'),
  email: Text,
  first_name: Text,
  last_name: Text,
  phone: Text,
  city: Text,
  state: Text,
  postal_code: Text,
  country: Text,
  source: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Donor = z.infer<typeof Donor>;

/** Sort orders of `GET /donors`; a hyphen means descending. Donors without a name sort last. */
export const DONOR_SORTS = ['-created_at', 'created_at', '-name', 'name'] as const;

/**
 * Filters of donors, in lists and in the summary:
 * docs/decisions/0045-filters-search-and-sums.md
 */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: DateTimeFilter,
  /** Upper bound on creation time, exclusive. */
  created_to: DateTimeFilter,
  /** Searches name, email address, phone number, city and id. */
  q: SearchText,
};

/** The query of `GET /donors`. */
export const DonorListQuery = ListQuery.extend({
  ...filters,
  /** `-created_at` when absent. */
  sort: oneOf(DONOR_SORTS),
});
export type DonorListQuery = z.infer<typeof DonorListQuery>;

/** The query of `GET /donors/export.csv`: the filters and the order of the list. */
export const DonorExportQuery = DonorListQuery.omit({ limit: true, cursor: true }).extend({
  /** Time zone of the times in the file; the organization's when absent. */
  time_zone: TimeZone,
});
export type DonorExportQuery = z.infer<typeof DonorExportQuery>;

/** The query of `GET /donors/summary`. */
export const DonorSummaryQuery = z.strictObject(filters);
export type DonorSummaryQuery = z.infer<typeof DonorSummaryQuery>;

/** Number of donors that match the filters. */
export const DonorSummary = z.object({
  object: z.literal('donor_summary'),
  count: z.int(),
});
export type DonorSummary = z.infer<typeof DonorSummary>;
