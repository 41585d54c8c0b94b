import type { DonationSummary } from '@connect-embed/contract';
import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
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
  sql<number>`sum(part.disputed_cents)::float8`.as('disputed_cents'),
  sql<number | null>`case when sum(part.donations) = sum(part.known_fees)
    then sum(part.fee_cents)::float8 end`.as('fee_cents'),
  sql<number>`sum(part.dispute_fee_cents)::float8`.as('dispute_fee_cents'),
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

/** Columns of a part of a sum: the totals of a day or an hour, or one donation. */
const PART_COLUMNS = [
  'currency',
  'starts_at',
  'donations',
  'gross_cents',
  'refunded_cents',
  'disputed_cents',
  'raised_cents',
  'known_fees',
  'fee_cents',
  'dispute_fee_cents',
  'net_cents',
] as const;

/** A donation in the columns of a part. */
const DONATION_AS_PART = [
  'donation.currency',
  'donation.created_at as starts_at',
  sql<number>`1`.as('donations'),
  'donation.amount_cents as gross_cents',
  'donation.refunded_amount_cents as refunded_cents',
  'donation.disputed_amount_cents as disputed_cents',
  'donation.remaining_amount_cents as raised_cents',
  sql<number>`num_nonnulls(donation.fee_cents)`.as('known_fees'),
  sql<number>`coalesce(donation.fee_cents, 0)`.as('fee_cents'),
  'donation.dispute_fee_cents',
  sql<number>`coalesce(donation.net_amount_cents, 0)`.as('net_cents'),
] as const;

/** The filters that totals can apply. */
const TOTAL_FILTERS = {
  created_from: (value) => sql`starts_at >= ${value}::timestamptz`,
  created_to: (value) => sql`starts_at < ${value}::timestamptz`,
  campaign_id: (value) => sql`campaign_id = ${value}`,
  currency: (value) => sql`currency = ${value}`,
  livemode: (value) => sql`livemode = ${value}::boolean`,
} satisfies Partial<FilterRules<DonationFilters>>;

/**
 * Selects the parts of the sums of all donations that match the filters, grouped by currency:
 * docs/decisions/0109-donation-totals.md
 *
 * With filters that totals can apply, the parts are days, the hours of those days that are only partly in
 * the period or in a bucket, and the donations of such hours. Otherwise the parts are the donations.
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
    ? selectTotals(db, organizationId, filters, edgesMs)
    : filterDonations(db, organizationId, filters).select(DONATION_AS_PART);
  return db
    .selectFrom(parts.as('part'))
    .groupBy('part.currency')
    .orderBy('part.currency')
    .having(sql<boolean>`sum(part.donations) > 0`);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the starts of the hours or days (UTC) that are not in exactly one bucket of the period, as a
 * subquery. Those of the period's bounds are always among them, because the bounds may have fractions of a
 * millisecond.
 */
function selectPartial(
  lengthMs: typeof HOUR_MS | typeof DAY_MS,
  { created_from, created_to }: Filters,
  edgesMs: readonly number[],
) {
  const bounds = [created_from, created_to].flatMap((time) => (time ? [Date.parse(time)] : []));
  const times = [...bounds, ...edgesMs.filter((timeMs) => timeMs % lengthMs !== 0)];
  const starts = times.map((timeMs) => Math.floor(timeMs / lengthMs) * (lengthMs / 1000));
  return sql<{ starts_at: Date }>`(select to_timestamp(second) as starts_at
    from unnest(${[...new Set(starts)]}::bigint[]) as second)`;
}

/** Selects the totals of whole days, those of whole hours in partial days, and donations in partial hours. */
function selectTotals(
  db: Db,
  organizationId: string,
  filters: Filters,
  edgesMs: readonly number[],
) {
  const organization = forOrganization(db, organizationId);
  const partialDays = selectPartial(DAY_MS, filters, edgesMs);
  const partialHours = selectPartial(HOUR_MS, filters, edgesMs);
  const isNotIn = (periods: typeof partialDays) => sql<boolean>`starts_at not in ${periods}`;
  const ofAll = { ...filters, campaign_id: filters.campaign_id ?? '' };
  const byDefault = (table: 'donation_total' | 'donation_total_change') =>
    filters.livemode === undefined ? isCounted(table, organizationId) : sql<boolean>`true`;
  const totals = applyFilters(
    organization
      .selectFrom('donation_total')
      .where(byDefault('donation_total'))
      .select(PART_COLUMNS),
    TOTAL_FILTERS,
    ofAll,
  );
  const changes = organization
    .selectFrom('donation_total_change')
    .where(byDefault('donation_total_change'))
    .select(PART_COLUMNS);
  const days = totals.where('period', '=', 'day').where(isNotIn(partialDays));
  // The offsets keep PostgreSQL from reading all rows once instead of those of each partial period.
  const hours = totals
    .where('period', '=', 'hour')
    .where(isNotIn(partialHours))
    .where(isWithin('donation_total.starts_at', '24 hours'))
    .offset(0);
  const donations = filterDonations(db, organizationId, filters)
    .select(DONATION_AS_PART)
    .where(isWithin('donation.created_at', '1 hour'))
    .offset(0);
  const ofEach = (periods: typeof partialDays, rows: typeof hours | typeof donations) =>
    db
      .selectFrom(periods.as<'partial'>('partial'))
      .innerJoinLateral(rows.as('row'), (join) => join.onTrue())
      .select(PART_COLUMNS.map((column) => `row.${column}` as const));
  return days
    .unionAll(applyFilters(changes.where(isNotIn(partialHours)), TOTAL_FILTERS, filters))
    .unionAll(ofEach(partialDays, hours))
    .unionAll(ofEach(partialHours, donations));
}

/** Whether a time is in the period of the given length that starts at `partial.starts_at`. */
const isWithin = (column: string, length: '1 hour' | '24 hours') =>
  sql<boolean>`${sql.ref(column)} >= partial.starts_at
    and ${sql.ref(column)} < partial.starts_at + ${sql.lit(length)}::interval`;
