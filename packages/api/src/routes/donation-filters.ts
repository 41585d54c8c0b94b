import type { DonationSummary, DonationSummaryQuery } from '@connect-embed/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';

/** What narrows donations, as it comes in a query: docs/decisions/0045-donation-filters.md */
export type DonationFilters = {
  [Name in keyof DonationSummaryQuery]-?: NonNullable<DonationSummaryQuery[Name]>;
};

/** What each filter asks of a row. */
export const DONATION_FILTERS: {
  [Name in keyof DonationFilters]: (
    value: RawBuilder<DonationFilters[Name]>,
  ) => RawBuilder<boolean>;
} = {
  created_from: (value) => sql`donation.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donation.created_at < ${value}::timestamptz`,
  fund_id: (value) => sql`donation.fund_id = ${value}`,
  campaign_id: (value) => sql`donation.campaign_id = ${value}`,
  recurring: (value) => sql`donation.recurring = ${value}::boolean`,
  refund_status: (value) => sql`donation.refund_status = ${value}`,
  dispute_status: (value) => sql`donation.dispute_status = ${value}`,
};

/** What donations of one currency come to. */
export const SUMS = [
  'donation.currency',
  sql<number>`count(*)::float8`.as('count'),
  sql<number>`sum(amount_cents)::float8`.as('gross_cents'),
  // Half a sum is no sum: null until the processor has told every fee.
  sql<number | null>`case when count(*) = count(net_amount_cents)
    then sum(net_amount_cents)::float8 end`.as('net_cents'),
  sql<number>`sum(refunded_amount_cents)::float8`.as('refunded_cents'),
] as const;

/** The donations of an organization that filters leave. */
export function narrowDonations(db: Db, organizationId: string, query: DonationSummaryQuery) {
  let rows = db.selectFrom('donation').where('donation.organization_id', '=', organizationId);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const filter = DONATION_FILTERS[name as keyof DonationFilters] as (
      value: RawBuilder<unknown>,
    ) => RawBuilder<boolean>;
    rows = rows.where(filter(sql`${value}`));
  }
  return rows;
}

/** Count and sums of what the filters leave, each currency by itself. */
export const sumDonations = async (
  db: Db,
  organizationId: string,
  query: DonationSummaryQuery,
): Promise<DonationSummary> => ({
  object: 'donation_summary',
  data: await narrowDonations(db, organizationId, query)
    .groupBy('donation.currency')
    .orderBy('donation.currency')
    .select(SUMS)
    .execute(),
});
