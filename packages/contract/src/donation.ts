import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field-schemas.ts';
import {
  AmountFilter,
  IdFilter,
  DateTimeFilter,
  oneOf,
  SearchText,
  StripeName,
  TimeZone,
} from './list-filters.ts';
import { ListQuery } from './list.ts';
import { Reference } from './donation-reference.ts';

/** Values of `refund_status`: docs/decisions/0002-specification-gaps.md */
export const REFUND_STATUSES = ['none', 'partial', 'full'] as const;
/** Values of `dispute_status`: docs/decisions/0002-specification-gaps.md */
export const DISPUTE_STATUSES = ['none', 'open', 'won', 'lost'] as const;

/** A donation whose payment Stripe has confirmed (spec: donation). */
export const Donation = z.object({
  id: z.string(),
  object: z.literal('donation'),
  amount_cents: Cents,
  /** Amount after fees, refunds and disputes; null until Stripe reports the fee. */
  net_amount_cents: z.int().nullable(),
  currency: Currency,
  recurring: z.boolean(),
  refund_status: z.enum(REFUND_STATUSES),
  refunded_amount_cents: Cents,
  dispute_status: z.enum(DISPUTE_STATUSES),
  donor_name: Text,
  donor_email: Text,
  fund_id: Text,
  fund_name: Text,
  campaign_id: Text,
  contact_id: Text,
  /** Origin of the donation: `embed`, `api` or `import`. */
  source: z.string(),
  /** Id of the credential or embed session that created the donation. */
  source_id: Text,
  created_at: Timestamp,
  /** Reference for people, shown on the thank-you page and the receipt. */
  reference: Reference,
  /** The processing fees so far; null until they are known. */
  fee_cents: z.int().nullable(),
  /** The part of `fee_cents` that disputes cost. */
  dispute_fee_cents: Cents,
  /** The part of the amount that the donor's bank took back and did not return. */
  disputed_amount_cents: Cents,
  /**
   * The currency in which the payment was added to the account's balance, if it is not the donation's. The fee and
   * net amount of such a donation are known in this currency only.
   */
  settlement_currency: Currency.nullable(),
  /** The payment in `settlement_currency`, before fees. */
  settlement_amount_cents: Cents.nullable(),
  settlement_fee_cents: z.int().nullable(),
  /** After all fees, refunds and disputes. */
  settlement_net_cents: z.int().nullable(),
  /** Units of `settlement_currency` for one unit of `currency`. */
  exchange_rate: z.number().nullable(),
  /** Stripe's type of the payment method, such as `card`; null if unknown. */
  payment_method: Text,
  /** Stripe's name of the card brand, such as `visa`; null without a card. */
  card_brand: Text,
  /** The payout that includes the donation; null until it is known. */
  payout_id: Text,
  /** Name of the campaign, for display. */
  campaign_name: Text,
});
export type Donation = z.infer<typeof Donation>;

/**
 * Filters of donations, in lists and in summaries:
 * docs/decisions/0045-filters-search-and-sums.md
 */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: DateTimeFilter,
  /**
   * Upper bound on creation time, exclusive: a filter for a day ends at the start of the next day.
   */
  created_to: DateTimeFilter,
  fund_id: IdFilter,
  campaign_id: IdFilter,
  recurring: oneOf(['true', 'false']),
  refund_status: oneOf(REFUND_STATUSES),
  dispute_status: oneOf(DISPUTE_STATUSES),
  /** Smallest and largest amount, both inclusive. */
  amount_from_cents: AmountFilter,
  amount_to_cents: AmountFilter,
  /** Stripe's type of the payment method, such as `card`. */
  payment_method: StripeName,
  /** Brand of the card, such as `visa`. */
  card_brand: StripeName,
  payout_id: IdFilter,
  /** Searches the donor's name and email address, the reference and the id. */
  q: SearchText,
};

/**
 * Sort orders of `GET /donations`; a hyphen means descending. Donations without a `donor_name` sort
 * last.
 */
export const DONATION_SORTS = [
  '-created_at',
  'created_at',
  '-amount_cents',
  'amount_cents',
  '-donor_name',
  'donor_name',
] as const;

/** The query of `GET /donations`. */
export const DonationListQuery = ListQuery.extend({
  ...filters,
  /** `-created_at` when absent. */
  sort: oneOf(DONATION_SORTS),
});
export type DonationListQuery = z.infer<typeof DonationListQuery>;

/** The query of `GET /donations/export.csv`: the filters and the order of the list. */
export const DonationExportQuery = DonationListQuery.omit({ limit: true, cursor: true }).extend({
  /** Time zone of the times in the file; the organization's when absent. */
  time_zone: TimeZone,
});
export type DonationExportQuery = z.infer<typeof DonationExportQuery>;

/** The query of `GET /donations/summary`. */
export const DonationSummaryQuery = z.strictObject(filters);
export type DonationSummaryQuery = z.infer<typeof DonationSummaryQuery>;

/** Sums of donations in one currency. */
export const DonationSums = z.object({
  currency: Currency,
  count: z.int(),
  gross_cents: Cents,
  /**
   * Gross less refunds, disputes and fees; null until Stripe has reported the fee of every donation.
   */
  net_cents: z.int().nullable(),
  /** Sum of the refunds of these donations, whatever the date of the refunds. */
  refunded_cents: Cents,
  /** Sum of the amounts that banks took back in disputes and did not return. */
  disputed_cents: Cents,
  /** Sum of the fees; null until Stripe has reported the fee of every donation. */
  fee_cents: z.int().nullable(),
  /** The part of `fee_cents` that disputes cost. */
  dispute_fee_cents: Cents,
});
export type DonationSums = z.infer<typeof DonationSums>;

/** Sums of the donations that match the filters, one row per currency. */
export const DonationSummary = z.object({
  object: z.literal('donation_summary'),
  data: z.array(DonationSums),
});
export type DonationSummary = z.infer<typeof DonationSummary>;

/**
 * A fund that has donations, with the fields that donations contain: `GET /donations/funds`.
 */
export const DonationFund = z.object({
  id: z.string(),
  object: z.literal('donation_fund'),
  name: z.string(),
  created_at: Timestamp,
});
export type DonationFund = z.infer<typeof DonationFund>;
