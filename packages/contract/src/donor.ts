import { z } from 'zod';
import { CreatedAt, Id, Text, Timestamp, kind } from './field-schemas.ts';
import {
  CreatedFrom,
  CreatedTo,
  DateTimeFilter,
  SearchText,
  TimeZone,
  oneOf,
  sortOrder,
} from './list-filters.ts';
import { ListQuery } from './list.ts';

/** A person or household that has donated (spec: donor). */
export const Donor = z.object({
  id: Id,
  object: kind('donor'),
  email: Text.describe('Email address.'),
  first_name: Text.describe('First name.'),
  last_name: Text.describe('Last name.'),
  phone: Text.describe('Phone number.'),
  city: Text.describe('City of the address.'),
  state: Text.describe('State or region of the address.'),
  postal_code: Text.describe('Postal code of the address.'),
  country: Text.describe('ISO 3166 code of the country.'),
  source: z.string().describe('Where it comes from: `embed` (a donation form), `api` or `import`.'),
  created_at: CreatedAt,
  updated_at: Timestamp.describe('Time of the last change.'),
});
export type Donor = z.infer<typeof Donor>;

/** Sort orders of `GET /donors`. Donors without a name sort last. */
export const DONOR_SORTS = ['-created_at', 'created_at', '-name', 'name'] as const;

/**
 * Filters of donors, in lists and in the summary:
 * docs/decisions/0045-filters-search-and-sums.md
 */
const filters = {
  created_from: CreatedFrom,
  created_to: CreatedTo,
  donated_from: DateTimeFilter.describe(
    'Only donors with a donation at this time or later, and before `donated_to`. Needs the scope `donations:read`, as `donated_to` and `recurring` do.',
  ),
  donated_to: DateTimeFilter.describe(
    'Only donors with a donation before this time, and not before `donated_from`.',
  ),
  recurring: oneOf(['true', 'false']).describe(
    'Only donors with a payment of a recurring donation, or with a one-time donation. With `donated_from` and `donated_to`: with one in this period.',
  ),
  q: SearchText,
};

/** The query of `GET /donors`. */
export const DonorListQuery = ListQuery.extend({
  ...filters,
  /** `-created_at` when absent. */
  sort: sortOrder(DONOR_SORTS),
});
export type DonorListQuery = z.infer<typeof DonorListQuery>;

/** The query of `GET /donors/export.csv`: the filters and the order of the list. */
export const DonorExportQuery = DonorListQuery.omit({ limit: true, cursor: true }).extend({
  time_zone: TimeZone,
});
export type DonorExportQuery = z.infer<typeof DonorExportQuery>;

/** The query of `GET /donors/summary`. */
export const DonorSummaryQuery = z.strictObject(filters);
export type DonorSummaryQuery = z.infer<typeof DonorSummaryQuery>;

/** Number of donors that match the filters. */
export const DonorSummary = z.object({
  object: kind('donor_summary'),
  count: z.int().describe('How many match the filters.'),
});
export type DonorSummary = z.infer<typeof DonorSummary>;
