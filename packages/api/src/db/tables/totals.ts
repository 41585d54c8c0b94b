import type { GeneratedAlways } from 'kysely';

/** Sums of the donations of one hour, currency and campaign: docs/decisions/0109-donation-totals.md */
interface HourlySums {
  organization_id: string;
  currency: string;
  /** The start of the hour, in UTC. */
  hour: Date;
  donations: number;
  gross_cents: number;
  refunded_cents: number;
  /** Less refunds and disputed amounts. */
  raised_cents: number;
  /** Number of donations whose fee is known; `fee_cents` and `net_cents` are their sums. */
  known_fees: number;
  fee_cents: number;
  net_cents: number;
}

interface DonationTotalTable extends HourlySums {
  /** Empty for the sums of all donations, with and without a campaign. */
  campaign_id: string;
}

/** What donations have added to `donation_total` since a job last moved these rows there. */
interface DonationTotalChangeTable extends HourlySums {
  id: GeneratedAlways<number>;
  campaign_id: string | null;
}

export interface TotalTables {
  donation_total: DonationTotalTable;
  donation_total_change: DonationTotalChangeTable;
}
