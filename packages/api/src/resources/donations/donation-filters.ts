import type { DonationSummary, DonationSummaryQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { applyFilters, type FilterRules } from '../search/apply-filters.ts';
import type { SearchFilters } from '../search/search.ts';

/** Filters of donations, as in the query string: docs/decisions/0045-filters-search-and-sums.md */
export type DonationFilters = {
  [Name in Exclude<keyof DonationSummaryQuery, 'q'>]-?: NonNullable<DonationSummaryQuery[Name]>;
} & SearchFilters & {
    /** Only for the dashboard, like `currency`: the API's list has no such parameters. */
    form_id: string;
    currency: string;
  };

/** The SQL condition of each filter. */
export const DONATION_FILTERS: FilterRules<DonationFilters> = {
  created_from: (value) => sql`donation.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donation.created_at < ${value}::timestamptz`,
  fund_id: (value) => sql`donation.fund_id = ${value}`,
  campaign_id: (value) => sql`donation.campaign_id = ${value}`,
  form_id: (value) => sql`donation.form_id = ${value}`,
  recurring: (value) => sql`donation.recurring = ${value}::boolean`,
  refund_status: (value) => sql`donation.refund_status = ${value}`,
  dispute_status: (value) => sql`donation.dispute_status = ${value}`,
  amount_from_cents: (value) => sql`donation.amount_cents >= ${value}::bigint`,
  amount_to_cents: (value) => sql`donation.amount_cents <= ${value}::bigint`,
  currency: (value) => sql`donation.currency = ${value}`,
  payment_method: (value) => sql`donation.payment_method = ${value}`,
  card_brand: (value) => sql`donation.card_brand = ${value}`,
  payout_id: (value) => sql`donation.payout_id = ${value}`,
  search: (value) => sql`donation.search @@ fold_text(${value})::tsquery`,
  search_id: (value) =>
    sql`(donation.id = ${value} or donation.processor_payment_intent_id = ${value})`,
};

/** Sums of the donations of one currency. */
export const SUM_COLUMNS = [
  'donation.currency',
  sql<number>`count(*)::float8`.as('count'),
  sql<number>`sum(amount_cents)::float8`.as('gross_cents'),
  // Null until the fee of every donation is known: an incomplete sum would be wrong.
  sql<number | null>`case when count(*) = count(net_amount_cents)
    then sum(net_amount_cents)::float8 end`.as('net_cents'),
  sql<number>`sum(refunded_amount_cents)::float8`.as('refunded_cents'),
] as const;

/** Selects the donations of an organization that match the filters. */
export function filterDonations(
  db: Db,
  organizationId: string,
  query: Partial<Record<keyof DonationFilters, string | undefined>> & { q?: never },
) {
  const rows = forOrganization(db, organizationId).selectFrom('donation');
  return applyFilters(rows, DONATION_FILTERS, query as Partial<DonationFilters>);
}

/** Counts and sums the donations that match the filters, by currency. */
export const sumDonations = async (
  db: Db,
  organizationId: string,
  query: Parameters<typeof filterDonations>[2],
): Promise<DonationSummary> => ({
  object: 'donation_summary',
  data: await filterDonations(db, organizationId, query)
    .groupBy('donation.currency')
    .orderBy('donation.currency')
    .select(SUM_COLUMNS)
    .execute(),
});
