import { formatMoney } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import type { Db, Database } from '@connect-embed/api/db/schema';
import type { DonorTotals } from '@connect-embed/api/resources/donor-totals';
import { DONOR_FILTERS } from '@connect-embed/api/resources/donors';
import { applyFilters } from '@connect-embed/api/resources/search/apply-filters';
import { DONOR_SEARCH, withSearch } from '@connect-embed/api/resources/search/search';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { DashboardContext } from '../pages/env.ts';
import { decryptSearch } from '../pages/lists/encrypted-search.ts';
import { readListFilters, type ListFilters } from '../pages/lists/list-filters.ts';

export type Donor = Selectable<Database['donor']>;

/** The search and the period of the donor list. The search text in the URL parameters is encrypted. */
export interface DonorView extends ListFilters {
  q: string;
  isSearchExpired: boolean;
}

/** Reads the search from the URL of a donor list. */
export async function readDonorView(
  { searchEncrypter }: Deps,
  c: DashboardContext,
): Promise<DonorView> {
  const encryptedSearch = c.req.query('search') ?? '';
  const list = { organizationId: c.var.organization.organizationId, list: 'donors' } as const;
  const q = encryptedSearch
    ? await decryptSearch(searchEncrypter, list, encryptedSearch)
    : undefined;
  const filters = readListFilters(c, []);
  const search = q && { search: encryptedSearch };
  return {
    ...filters,
    q: q ?? '',
    params: { ...filters.params, ...search },
    pageParams: { ...filters.pageParams, ...search },
    isSearchExpired: encryptedSearch !== '' && !q,
  };
}

/** The search and the period of a list, as filters of the API's list. */
export const donorFilters = (
  { q, bounds }: Pick<DonorView, 'q' | 'bounds'>,
  organizationId: string,
) => withSearch({ ...bounds, ...(q && { q }) }, DONOR_SEARCH, { organizationId });

/** Selects the donors that match the search and were added in the period. */
export const selectDonors = (
  db: Db,
  organizationId: string,
  view: Pick<DonorView, 'q' | 'bounds'>,
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
