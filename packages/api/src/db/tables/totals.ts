import type { GeneratedAlways } from 'kysely';

/** Sums of the donations of one period, currency and campaign: docs/decisions/0109-donation-totals.md */
interface PeriodSums {
  organization_id: string;
  currency: string;
  /** The start of the hour or day, in UTC. */
  starts_at: Date;
  donations: number;
  gross_cents: number;
  refunded_cents: number;
  disputed_cents: number;
  /** Less refunds and disputed amounts. */
  raised_cents: number;
  /** Number of donations whose fee is known; `fee_cents` and `net_cents` are their sums. */
  known_fees: number;
  fee_cents: number;
  /** The part of `fee_cents` that disputes cost. */
  dispute_fee_cents: number;
  net_cents: number;
}

interface DonationTotalTable extends PeriodSums {
  /** Each donation is counted in an hour and in a day. */
  period: 'hour' | 'day';
  /** Empty for the sums of all donations, with and without a campaign. */
  campaign_id: string;
}

/** What the donations of an hour have added to `donation_total` since a job last moved these rows there. */
interface DonationTotalChangeTable extends PeriodSums {
  id: GeneratedAlways<number>;
  campaign_id: string | null;
}

export interface TotalTables {
  donation_total: DonationTotalTable;
  donation_total_change: DonationTotalChangeTable;
}
