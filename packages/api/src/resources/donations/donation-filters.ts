import type { DonationSummaryQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { applyFilters, type FilterRules } from '../search/apply-filters.ts';
import type { FilterValues } from '../lists/list-definition.ts';
import type { SearchFilters } from '../search/search.ts';

/** Filters of donations, as in the query string: docs/decisions/0045-filters-search-and-sums.md */
export type DonationFilters = {
  [Name in Exclude<keyof DonationSummaryQuery, 'q'>]-?: NonNullable<DonationSummaryQuery[Name]>;
} & SearchFilters & {
    /** Only for the dashboard, like `currency`: the API's list has no such parameters. */
    form_id: string;
    form_name: string;
    currency: string;
  };

export const DONATION_FILTERS: FilterRules<DonationFilters> = {
  created_from: (value) => sql`donation.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donation.created_at < ${value}::timestamptz`,
  fund_id: (value) => sql`donation.fund_id = ${value}`,
  campaign_id: (value) => sql`donation.campaign_id = ${value}`,
  form_id: (value) => sql`donation.form_id = ${value}`,
  form_name: (value) => sql`donation.form_name = ${value}`,
  recurring: (value) => sql`donation.recurring = ${value}::boolean`,
  refund_status: (value) => sql`donation.refund_status = ${value}`,
  dispute_status: (value) => sql`donation.dispute_status = ${value}`,
  amount_from_cents: (value) => sql`donation.amount_cents >= ${value}::bigint`,
  amount_to_cents: (value) => sql`donation.amount_cents <= ${value}::bigint`,
  currency: (value) => sql`donation.currency = ${value}`,
  payment_method: (value) => sql`donation.payment_method = ${value}`,
  card_brand: (value) => sql`donation.card_brand = ${value}`,
  payout_id: (value) => sql`donation.payout_id = ${value}`,
  livemode: (value) => sql`donation.livemode = ${value}::boolean`,
  search: (value) => sql`donation.search @@ fold_text(${value})::tsquery`,
  search_amounts: (value) => sql`donation.currency || abs(donation.amount_cents) = any(${value})`,
  search_id: (value) =>
    sql`(donation.id = ${value} or donation.processor_payment_intent_id = ${value})`,
};

/** Selects the donations of an organization that match the filters: those that count, unless `livemode` is a filter. */
export function filterDonations(
  db: Db,
  organizationId: string,
  query: FilterValues<DonationFilters> & { q?: never },
) {
  const all = forOrganization(db, organizationId).selectFrom('donation');
  const rows =
    query.livemode === undefined ? all.where(isCounted('donation', organizationId)) : all;
  return applyFilters(rows, DONATION_FILTERS, query);
}
