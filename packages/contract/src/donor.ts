import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';
import { DateTimeFilter, oneOf, SearchText } from './list-filters.ts';
import { ListQuery } from './list.ts';

/** A person or household that has given (spec: donor). */
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

/** Orders of `GET /donors`; a hyphen means descending. By `name`, donors without one come last. */
export const DONOR_SORTS = ['-created_at', 'created_at', '-name', 'name'] as const;

/** What narrows donors, in a list as in their count; additive: docs/decisions/0087-search.md */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: DateTimeFilter,
  /** Upper bound on creation time, exclusive. */
  created_to: DateTimeFilter,
  /** Searches name, e-mail address, phone number, city and id. */
  q: SearchText,
};

/** The query of `GET /donors`. */
export const DonorListQuery = ListQuery.extend({
  ...filters,
  /** `-created_at` when left out. */
  sort: oneOf(DONOR_SORTS),
});
export type DonorListQuery = z.infer<typeof DonorListQuery>;

/** The query of `GET /donors/summary`. */
export const DonorSummaryQuery = z.strictObject(filters);
export type DonorSummaryQuery = z.infer<typeof DonorSummaryQuery>;

/** How many donors the filters leave; additive. */
export const DonorSummary = z.object({
  object: z.literal('donor_summary'),
  count: z.int(),
});
export type DonorSummary = z.infer<typeof DonorSummary>;
