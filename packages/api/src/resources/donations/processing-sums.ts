import type { DonationSummary } from '@connect-embed/contract';
import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { IS_PROCESSING, IS_RECURRING } from '../processing-payments.ts';
import { applyFilters, type FilterRules } from '../search/apply-filters.ts';
import type { FilterValues } from '../lists/list-definition.ts';
import type { DonationFilters } from './donation-filters.ts';

type Filters = FilterValues<DonationFilters>;

/** The filters that also apply to payments whose money is on its way. */
const FILTERS = {
  created_from: (value) => sql`payment_intent.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`payment_intent.created_at < ${value}::timestamptz`,
  fund_id: (value) => sql`payment_intent.fund_id = ${value}`,
  campaign_id: (value) => sql`payment_intent.campaign_id = ${value}`,
  form_id: (value) => sql`payment_intent.form_id = ${value}`,
  form_name: (value) => sql`payment_intent.form_name = ${value}`,
  recurring: (value) => sql`${IS_RECURRING} = ${value}::boolean`,
  amount_from_cents: (value) => sql`payment_intent.amount_cents >= ${value}::bigint`,
  amount_to_cents: (value) => sql`payment_intent.amount_cents <= ${value}::bigint`,
  currency: (value) => sql`payment_intent.currency = ${value}`,
  payment_method: (value) => sql`payment_intent.payment_method = ${value}`,
  livemode: (value) => sql`payment_intent.livemode = ${value}::boolean`,
} satisfies Partial<FilterRules<DonationFilters>>;

/** The sums of a currency in which there is no donation. */
const NO_DONATIONS = {
  count: 0,
  gross_cents: 0,
  net_cents: 0,
  refunded_cents: 0,
  disputed_cents: 0,
  fee_cents: 0,
  dispute_fee_cents: 0,
};

/**
 * Adds the payments whose money is on its way to the sums of donations.
 *
 * @param filters of donations. No payment matches one that only donations can match, such as `refund_status`.
 */
export async function withProcessing(
  db: Db,
  organizationId: string,
  filters: Filters,
  summary: DonationSummary,
): Promise<DonationSummary> {
  const names = Object.keys(filters) as (keyof Filters)[];
  const canMatch = names.every((name) => filters[name] === undefined || name in FILTERS);
  const sums = canMatch ? await sumProcessing(db, organizationId, filters) : [];
  const processing = new Map(sums.map(({ currency, ...sum }) => [currency, sum]));
  const donations = new Map(summary.data.map((row) => [row.currency, row]));
  const currencies = [...new Set([...donations.keys(), ...processing.keys()])].sort();
  return {
    ...summary,
    data: currencies.map((currency) => ({
      ...(donations.get(currency) ?? { currency, ...NO_DONATIONS }),
      ...(processing.get(currency) ?? { processing_count: 0, processing_amount_cents: 0 }),
    })),
  };
}

const sumProcessing = (db: Db, organizationId: string, filters: Filters) =>
  applyFilters(
    forOrganization(db, organizationId)
      .selectFrom('payment_intent')
      .where(IS_PROCESSING)
      .$if(filters.livemode === undefined, (rows) =>
        rows.where(isCounted('payment_intent', organizationId)),
      ),
    FILTERS,
    filters,
  )
    .groupBy('payment_intent.currency')
    .select([
      'payment_intent.currency',
      sql<number>`count(*)::float8`.as('processing_count'),
      sql<number>`sum(payment_intent.amount_cents)::float8`.as('processing_amount_cents'),
    ])
    .execute();
