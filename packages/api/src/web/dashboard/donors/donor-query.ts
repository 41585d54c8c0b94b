import {
  csvLine,
  exportHeading,
  formatDate,
  formatMoney,
  type CsvCell,
} from '@connect-embed/contract';
import type { Context } from 'hono';
import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import type { Db, Database } from '../../../db/schema.ts';
import { DONOR_FILTERS } from '../../../resources/donors.ts';
import { applyFilters } from '../../../resources/search/apply-filters.ts';
import { DONOR_SEARCH, withSearch } from '../../../resources/search/search.ts';
import type { Membership } from '../../../users/membership.ts';
import { LOCALE } from '../../layout.ts';
import type { DashboardEnv } from '../env.ts';
import { pagesByKey } from '../lists/csv-response.ts';
import { amountCell } from '../donations/donation-csv.ts';
import { decryptSearch } from '../lists/encrypted-search.ts';

export type Donor = Selectable<Database['donor']>;

/** The search of the donor list: its text and the URL parameters with the encrypted text. */
export interface DonorView {
  q: string;
  params: Record<string, string>;
  isSearchExpired: boolean;
}

/** Reads the search from the URL of a donor list. */
export async function readDonorView(
  { searchEncrypter }: Deps,
  c: Context<DashboardEnv>,
): Promise<DonorView> {
  const encryptedSearch = c.req.query('search') ?? '';
  const list = { organizationId: c.var.organization.organizationId, list: 'donors' } as const;
  const q = encryptedSearch
    ? await decryptSearch(searchEncrypter, list, encryptedSearch)
    : undefined;
  return {
    q: q ?? '',
    params: q ? { search: encryptedSearch } : {},
    isSearchExpired: encryptedSearch !== '' && !q,
  };
}

export const selectDonors = (db: Db, organizationId: string, q: string) =>
  applyFilters(
    forOrganization(db, organizationId).selectFrom('donor').selectAll('donor'),
    DONOR_FILTERS,
    withSearch(q ? { q } : {}, DONOR_SEARCH, { organizationId }),
  );

/** Donation totals of one donor in one currency. */
export interface DonorTotals {
  contact_id: string;
  currency: string;
  count: number;
  gross_cents: number;
  refunded_cents: number;
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
      sql<Date>`max(donation.created_at)`.as('last_at'),
    ])
    .$narrowType<{ contact_id: string }>()
    .execute();
  return Map.groupBy(rows, ({ contact_id }) => contact_id);
}

/**
 * Formats the total after refunds, one amount per currency: `$120.00, €80.00`. Returns null without
 * donations.
 */
export const totalText = (donorTotals: readonly DonorTotals[] | undefined): string | null =>
  donorTotals
    ?.map(({ gross_cents, refunded_cents, currency }) =>
      formatMoney(gross_cents - refunded_cents, currency, LOCALE),
    )
    .join(', ') || null;

export const donationCount = (donorTotals: readonly DonorTotals[] | undefined): number =>
  (donorTotals ?? []).reduce((sum, { count }) => sum + count, 0);

export const lastDonationAt = (donorTotals: readonly DonorTotals[] | undefined): Date | null =>
  (donorTotals ?? []).reduce<Date | null>(
    (last, { last_at }) => (last && last > last_at ? last : last_at),
    null,
  );

const HEADINGS = [
  'Donor ID',
  'First name',
  'Last name',
  'Email',
  'Phone',
  'City',
  'State',
  'Postal code',
  'Country',
];
/**
 * Additional columns for members with `donations:read`. A donor with several currencies has one
 * line per currency.
 */
const TOTAL_HEADINGS = ['Donations', 'Currency', 'Gross', 'Refunded'];

/** Returns the CSV lines of all donors that match the search, newest first. */
export async function* donorLines(
  db: Db,
  { organizationId, timeZone, permissions }: Membership,
  { q }: DonorView,
): AsyncGenerator<string> {
  const showsTotals = permissions.has('donations:read');
  const formatForFile = (date: Date) => formatDate(date, 'file', { timeZone, locale: LOCALE });
  yield csvLine([
    ...HEADINGS,
    ...(showsTotals ? [...TOTAL_HEADINGS, exportHeading('Last donation', timeZone)] : []),
    exportHeading('Since', timeZone),
  ]);
  const pages = pagesByKey<Donor>((after, limit) => {
    let rows = selectDonors(db, organizationId, q);
    if (after) {
      const position = sql`(${after.created_at}, ${after.id})`;
      rows = rows.where(sql<boolean>`(donor.created_at, donor.id) < ${position}`);
    }
    return rows
      .orderBy('donor.created_at', 'desc')
      .orderBy('donor.id', 'desc')
      .limit(limit)
      .execute();
  });
  for await (const donors of pages) {
    const ids = donors.map(({ id }) => id);
    const donorTotals = showsTotals
      ? await loadDonorTotals(db, organizationId, ids)
      : new Map<string, DonorTotals[]>();
    yield donors
      .flatMap((donor) => {
        const lines = showsTotals ? (donorTotals.get(donor.id) ?? [undefined]) : [undefined];
        return lines.map((line) =>
          csvLine([
            ...personCells(donor),
            ...(showsTotals
              ? [...totalCells(line), line ? formatForFile(line.last_at) : null]
              : []),
            formatForFile(donor.created_at),
          ]),
        );
      })
      .join('');
  }
}

const personCells = (donor: Donor): CsvCell[] => [
  donor.id,
  donor.first_name,
  donor.last_name,
  donor.email,
  donor.phone,
  donor.city,
  donor.state,
  donor.postal_code,
  donor.country,
];

const totalCells = (donorTotals: DonorTotals | undefined): CsvCell[] =>
  donorTotals
    ? [
        { number: String(donorTotals.count) },
        donorTotals.currency.toUpperCase(),
        amountCell(donorTotals.gross_cents, donorTotals.currency),
        amountCell(donorTotals.refunded_cents, donorTotals.currency),
      ]
    : [{ number: '0' }, null, null, null];
