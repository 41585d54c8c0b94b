import type { DonationSummary } from '@connect-embed/contract';
import { sql } from 'kysely';
import { REMAINING_CENTS } from '../../db/donation-totals.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { applyFilters, type FilterRules } from '../search/apply-filters.ts';
import { filterDonations, type DonationFilters } from './donation-filters.ts';

type Filters = Parameters<typeof filterDonations>[2];

/** Sums of the donations of one currency. */
export const SUM_COLUMNS = [
  'part.currency',
  sql<number>`sum(part.donations)::float8`.as('count'),
  sql<number>`sum(part.gross_cents)::float8`.as('gross_cents'),
  // Null until the fee of every donation is known: an incomplete sum would be wrong.
  sql<number | null>`case when sum(part.donations) = sum(part.known_fees)
    then sum(part.net_cents)::float8 end`.as('net_cents'),
  sql<number>`sum(part.refunded_cents)::float8`.as('refunded_cents'),
] as const;

/** Counts and sums the donations that match the filters, by currency. */
export const sumDonations = async (
  db: Db,
  organizationId: string,
  filters: Filters,
): Promise<DonationSummary> => ({
  object: 'donation_summary',
  data: await selectParts(db, organizationId, filters).select(SUM_COLUMNS).execute(),
});

/** Columns of a part of a sum: the totals of an hour, or one donation. */
const PART_COLUMNS = [
  'currency',
  'hour',
  'donations',
  'gross_cents',
  'refunded_cents',
  'raised_cents',
  'known_fees',
  'fee_cents',
  'net_cents',
] as const;

/** A donation in the columns of a part. */
const DONATION_AS_PART = [
  'donation.currency',
  'donation.created_at as hour',
  sql<number>`1`.as('donations'),
  'donation.amount_cents as gross_cents',
  'donation.refunded_amount_cents as refunded_cents',
  REMAINING_CENTS.as('raised_cents'),
  sql<number>`num_nonnulls(donation.fee_cents)`.as('known_fees'),
  sql<number>`coalesce(donation.fee_cents, 0)`.as('fee_cents'),
  sql<number>`coalesce(donation.net_amount_cents, 0)`.as('net_cents'),
] as const;

/** The filters that hourly totals can apply. */
const TOTAL_FILTERS = {
  created_from: (value) => sql`hour >= ${value}::timestamptz`,
  created_to: (value) => sql`hour < ${value}::timestamptz`,
  campaign_id: (value) => sql`campaign_id = ${value}`,
  currency: (value) => sql`currency = ${value}`,
} satisfies Partial<FilterRules<DonationFilters>>;

/**
 * Selects the parts of the sums of all donations that match the filters, grouped by currency:
 * docs/decisions/0109-donation-totals.md
 *
 * With filters that hourly totals can apply, the parts are hours, and the donations of those hours that
 * are only partly in the period or in a bucket. Otherwise the parts are the donations.
 *
 * @param edgesMs the bounds of the buckets of a series
 */
export function selectParts(
  db: Db,
  organizationId: string,
  filters: Filters,
  edgesMs: readonly number[] = [],
) {
  const names = Object.keys(filters) as (keyof Filters)[];
  const canUseTotals = names.every((name) => filters[name] === undefined || name in TOTAL_FILTERS);
  const parts = canUseTotals
    ? selectHours(db, organizationId, filters, partialHours(filters, edgesMs))
    : filterDonations(db, organizationId, filters).select(DONATION_AS_PART);
  return db
    .selectFrom(parts.as('part'))
    .groupBy('part.currency')
    .orderBy('part.currency')
    .having(sql<boolean>`sum(part.donations) > 0`);
}

const HOUR_MS = 3_600_000;

/**
 * Returns the starts of the hours that are not in exactly one bucket of the period, in seconds. The hours of
 * the period's bounds are always among them, because the bounds may have fractions of a millisecond.
 */
function partialHours({ created_from, created_to }: Filters, edgesMs: readonly number[]): number[] {
  const bounds = [created_from, created_to].flatMap((time) => (time ? [Date.parse(time)] : []));
  const times = [...bounds, ...edgesMs.filter((timeMs) => timeMs % HOUR_MS !== 0)];
  return [...new Set(times.map((timeMs) => Math.floor(timeMs / HOUR_MS) * (HOUR_MS / 1000)))];
}

/** Selects the totals of whole hours, and the donations of the partial ones. */
function selectHours(
  db: Db,
  organizationId: string,
  filters: Filters,
  partialHours: readonly number[],
) {
  const organization = forOrganization(db, organizationId);
  const starts = sql<Date>`(select to_timestamp(second) as hour
    from unnest(${partialHours}::bigint[]) as second)`;
  const isWhole = sql<boolean>`hour not in ${starts}`;
  const totals = organization.selectFrom('donation_total').where(isWhole).select(PART_COLUMNS);
  const changes = organization
    .selectFrom('donation_total_change')
    .where(isWhole)
    .select(PART_COLUMNS);
  // The offset keeps PostgreSQL from reading all donations once instead of those of each hour.
  const donationsOfHour = filterDonations(db, organizationId, filters)
    .where(
      sql<boolean>`donation.created_at >= partial.hour
        and donation.created_at < partial.hour + interval '1 hour'`,
    )
    .select(DONATION_AS_PART)
    .offset(0);
  const ofAll = { ...filters, campaign_id: filters.campaign_id ?? '' };
  return applyFilters(totals, TOTAL_FILTERS, ofAll)
    .unionAll(applyFilters(changes, TOTAL_FILTERS, filters))
    .unionAll(
      db
        .selectFrom(starts.as<'partial'>('partial'))
        .innerJoinLateral(donationsOfHour.as('donation'), (join) => join.onTrue())
        .select(PART_COLUMNS.map((column) => `donation.${column}` as const)),
    );
}
