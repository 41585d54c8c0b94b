import { formatMoney } from '@connect-embed/contract';
import { sql, type Selectable } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import type { Db, Database } from '@connect-embed/api/db/schema';
import type { DonatedPeriod, DonorTotals } from '@connect-embed/api/resources/donor-totals';
import { DONOR_FILTERS } from '@connect-embed/api/resources/donors';
import { applyFilters } from '@connect-embed/api/resources/search/apply-filters';
import { DONOR_SEARCH, withSearch } from '@connect-embed/api/resources/search/search';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { DashboardContext } from '../pages/env.ts';
import { readSearch } from '../pages/lists/encrypted-search.ts';
import { periodBounds } from '../pages/lists/period.ts';
import { readListFilters, readOption, type ListFilters } from '../pages/lists/list-filters.ts';

export type Donor = Selectable<Database['donor']>;

/** The search and the filters of the donor list. The search text in the URL parameters is encrypted. */
export interface DonorView extends ListFilters {
  q: string;
  isSearchExpired: boolean;
  /** Years with donations, the latest first; empty for a member without `donations:read`. */
  years: string[];
  /** The year in which listed donors gave, whose donations alone are added up. */
  year?: string | undefined;
  donated?: DonatedPeriod | undefined;
}

/** Reads the search from the URL of a donor list. */
export async function readDonorView(deps: Deps, c: DashboardContext): Promise<DonorView> {
  const { organizationId, permissions, timeZone } = c.var.organization;
  const { q = '', params: search, isExpired } = await readSearch(c, deps, 'donors');
  const years = permissions.has('donations:read')
    ? await loadYears(deps.readDatabase.for(organizationId), organizationId, timeZone)
    : [];
  const filters = readListFilters(c, years.length > 0 ? ['year'] : []);
  const year = years.length > 0 ? readOption(filters.fields, 'year', years) : undefined;
  return {
    ...filters,
    q,
    params: { ...filters.params, ...search },
    pageParams: { ...filters.pageParams, ...search },
    isSearchExpired: isExpired,
    years,
    ...(year && { year, donated: donatedIn(year, timeZone) }),
  };
}

/** Lists the years from the first donation until now. */
async function loadYears(db: Db, organizationId: string, timeZone: string): Promise<string[]> {
  const { first } = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .select(
      sql<number | null>`extract(year from min(created_at) at time zone ${timeZone})::int`.as(
        'first',
      ),
    )
    .executeTakeFirstOrThrow();
  const { year: current } = Temporal.Now.plainDateISO(timeZone);
  return first === null
    ? []
    : Array.from({ length: current - first + 1 }, (_, index) => String(current - index));
}

function donatedIn(year: string, timeZone: string): DonatedPeriod | undefined {
  const { created_from, created_to } = periodBounds(
    { from: `${year}-01-01`, to: `${year}-12-31` },
    timeZone,
  );
  return created_from && created_to
    ? { donated_from: created_from, donated_to: created_to }
    : undefined;
}

/** The search and the period of a list, as filters of the API's list. */
export const donorFilters = (
  { q, bounds, donated }: Pick<DonorView, 'q' | 'bounds' | 'donated'>,
  organizationId: string,
) =>
  withSearch(
    { ...bounds, ...(donated && { donated: JSON.stringify(donated) }), ...(q && { q }) },
    DONOR_SEARCH,
    { organizationId },
  );

/** Selects the donors that match the search and the filters. */
export const selectDonors = (
  db: Db,
  organizationId: string,
  view: Pick<DonorView, 'q' | 'bounds' | 'donated'>,
) =>
  applyFilters(
    forOrganization(db, organizationId)
      .selectFrom('donor')
      .selectAll('donor')
      .where('donor.merged_into', 'is', null),
    DONOR_FILTERS,
    donorFilters(view, organizationId),
  );

/**
 * Formats the total after refunds and disputes, one amount per currency: `$120.00, €80.00`. Returns null
 * without donations.
 */
export const totalText = (donorTotals: readonly DonorTotals[] | undefined): string | null =>
  donorTotals
    ?.map(({ remaining_cents, currency }) => formatMoney(remaining_cents, currency, LOCALE))
    .join(', ') || null;

export const donationCount = (donorTotals: readonly DonorTotals[] | undefined): number =>
  (donorTotals ?? []).reduce((sum, { count }) => sum + count, 0);

export const lastDonationAt = (donorTotals: readonly DonorTotals[] | undefined): Date | null =>
  (donorTotals ?? []).reduce<Date | null>(
    (last, { last_at }) => (last && last > last_at ? last : last_at),
    null,
  );
