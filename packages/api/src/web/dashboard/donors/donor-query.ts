import { formatMoney } from '@connect-embed/contract';
import { sql, type Selectable } from 'kysely';
import { groupBy } from '../../../lib/group-by.ts';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import type { Db, Database } from '../../../db/schema.ts';
import { DONOR_FILTERS } from '../../../resources/donors.ts';
import { applyFilters } from '../../../resources/search/apply-filters.ts';
import { DONOR_SEARCH, withSearch } from '../../../resources/search/search.ts';
import { LOCALE } from '../../layout.ts';
import type { DashboardContext } from '../env.ts';
import { decryptSearch } from '../lists/encrypted-search.ts';
import { readListFilters, type ListFilters } from '../lists/list-filters.ts';

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

/** Selects the donors that match the search and were added in the period. */
export const selectDonors = (
  db: Db,
  organizationId: string,
  { q, bounds }: Pick<DonorView, 'q' | 'bounds'>,
) =>
  applyFilters(
    forOrganization(db, organizationId).selectFrom('donor').selectAll('donor'),
    DONOR_FILTERS,
    withSearch({ ...bounds, ...(q && { q }) }, DONOR_SEARCH, { organizationId }),
  );

/** Donation totals of one donor in one currency. */
export interface DonorTotals {
  contact_id: string;
  currency: string;
  count: number;
  gross_cents: number;
  refunded_cents: number;
  disputed_cents: number;
  /** Less refunds and disputes. */
  remaining_cents: number;
  last_at: Date;
}

/** Loads the donation totals of several donors, keyed by donor id. */
export async function loadDonorTotals(
  db: Db,
  organizationId: string,
  donorIds: readonly string[],
): Promise<Map<string, DonorTotals[]>> {
  if (donorIds.length === 0) return new Map();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .where('donation.contact_id', 'in', donorIds)
    .groupBy(['donation.contact_id', 'donation.currency'])
    .orderBy('donation.currency')
    .select([
      'donation.contact_id',
      'donation.currency',
      sql<number>`count(*)::float8`.as('count'),
      sql<number>`sum(donation.amount_cents)::float8`.as('gross_cents'),
      sql<number>`sum(donation.refunded_amount_cents)::float8`.as('refunded_cents'),
      sql<number>`sum(donation.disputed_amount_cents)::float8`.as('disputed_cents'),
      sql<number>`sum(donation.remaining_amount_cents)::float8`.as('remaining_cents'),
      sql<Date>`max(donation.created_at)`.as('last_at'),
    ])
    .$narrowType<{ contact_id: string }>()
    .execute();
  return groupBy(rows, ({ contact_id }) => contact_id);
}

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
