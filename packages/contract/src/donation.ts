import { z } from 'zod';
import {
  CampaignId,
  Cents,
  CreatedAt,
  Currency,
  FundId,
  Id,
  Livemode,
  Name,
  Text,
  WholeNumber,
  kind,
} from './field-schemas.ts';
import {
  AmountFilter,
  CreatedFrom,
  CreatedTo,
  IdFilter,
  LivemodeFilter,
  SearchText,
  StripeName,
  TimeZone,
  oneOf,
  sortOrder,
} from './list-filters.ts';
import { ListQuery } from './list.ts';
import { Reference } from './donation-reference.ts';

/** Values of `refund_status`: docs/decisions/0002-specification-gaps.md */
export const REFUND_STATUSES = ['none', 'partial', 'full'] as const;
/** Values of `dispute_status`: docs/decisions/0002-specification-gaps.md */
export const DISPUTE_STATUSES = ['none', 'open', 'won', 'lost'] as const;

/** A donation whose payment Stripe has confirmed (spec: donation). */
export const Donation = z.object({
  id: Id,
  object: kind('donation'),
  amount_cents: Cents.describe('In minor units of the currency.'),
  net_amount_cents: WholeNumber.describe(
    'Amount after fees, refunds and disputes; null until the fee is known, or if it is in another currency.',
  ),
  currency: Currency,
  recurring: z.boolean().describe('True for a payment of a recurring donation.'),
  refund_status: z.enum(REFUND_STATUSES).describe('Follows `refunded_amount_cents`.'),
  refunded_amount_cents: Cents.describe('The refunded part of the amount, in minor units.'),
  dispute_status: z
    .enum(DISPUTE_STATUSES)
    .describe('State of a dispute that the donor’s bank opened.'),
  donor_name: Text.describe('Name of the donor.'),
  donor_email: Text.describe('Email address of the donor.'),
  fund_id: FundId,
  fund_name: Text.describe('Name of the fund.'),
  campaign_id: CampaignId,
  contact_id: Text.describe('Id of the donor.'),
  source: z.string().describe('Where it comes from: `embed` (a donation form), `api` or `import`.'),
  source_id: Text.describe('Id of the session or credential that created the donation.'),
  created_at: CreatedAt,
  reference: Reference.describe(
    'Short code by which people identify the donation; it is on the thank-you page and the receipt.',
  ),
  fee_cents: WholeNumber.describe(
    'Processing fees so far, in minor units; null until they are known.',
  ),
  dispute_fee_cents: Cents.describe('The part of `fee_cents` that disputes cost.'),
  disputed_amount_cents: Cents.describe(
    'The part of the amount that the donor’s bank took back and did not return, in minor units.',
  ),
  settlement_currency: Currency.nullable().describe(
    'Currency in which the payment was added to the account’s balance; null if it is the donation’s. The fee and net amount of such a donation are known in this currency only.',
  ),
  settlement_amount_cents: Cents.nullable().describe(
    'The payment in `settlement_currency`, before fees.',
  ),
  settlement_fee_cents: WholeNumber.describe('The fees in `settlement_currency`.'),
  settlement_net_cents: WholeNumber.describe(
    'Amount after fees, refunds and disputes in `settlement_currency`.',
  ),
  exchange_rate: z
    .number()
    .nullable()
    .describe('Units of `settlement_currency` for one unit of `currency`.'),
  payment_method: Text.describe('Payment method as Stripe names it, such as `card`.'),
  card_brand: Text.describe('Card brand as Stripe names it, such as `visa`; null without a card.'),
  payout_id: Text.describe(
    'Id of the payout that includes the donation; null until it is known. If that payout fails, the id of the one that pays the money later.',
  ),
  campaign_name: Text.describe('Name of the campaign.'),
  livemode: Livemode,
  dedication: Text.describe('In honor or memory of whom the donor gave, as entered in the form.'),
  comment: Text.describe('Message of the donor.'),
  form_id: Text.describe('Id of the form of the dashboard through which the donor gave.'),
  form_name: Text.describe(
    'Name of that form, or the name under which the organization’s server shows a form of its own.',
  ),
  page_origin: Text.describe('Origin of the page on which the donor gave, if it is known.'),
});
export type Donation = z.infer<typeof Donation>;

/**
 * Filters of donations, in lists and in summaries:
 * docs/decisions/0045-filters-search-and-sums.md
 */
const filters = {
  created_from: CreatedFrom,
  created_to: CreatedTo,
  fund_id: IdFilter.describe('Only donations to this fund.'),
  campaign_id: IdFilter.describe('Only donations to this campaign.'),
  recurring: oneOf(['true', 'false']).describe(
    '`true`: only recurring donations; `false`: only one-time donations.',
  ),
  refund_status: oneOf(REFUND_STATUSES).describe('Only donations with this refund status.'),
  dispute_status: oneOf(DISPUTE_STATUSES).describe('Only donations with this dispute status.'),
  amount_from_cents: AmountFilter.describe(
    'Only donations of at least this amount, in minor units.',
  ),
  amount_to_cents: AmountFilter.describe('Only donations of at most this amount, in minor units.'),
  payment_method: StripeName.describe(
    'Only donations with this payment method, named as at Stripe, such as `card`.',
  ),
  card_brand: StripeName.describe('Only donations paid with a card of this brand, such as `visa`.'),
  payout_id: IdFilter.describe('Only donations that this payout includes.'),
  livemode: LivemodeFilter,
  q: SearchText,
};

/**
 * Sort orders of `GET /donations`. Donations without a `donor_name` sort
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
  sort: sortOrder(DONATION_SORTS),
});
export type DonationListQuery = z.infer<typeof DonationListQuery>;

/** The query of `GET /donations/export.csv`: the filters and the order of the list. */
export const DonationExportQuery = DonationListQuery.omit({ limit: true, cursor: true }).extend({
  time_zone: TimeZone,
});
export type DonationExportQuery = z.infer<typeof DonationExportQuery>;

/** The query of `GET /donations/summary`. */
export const DonationSummaryQuery = z.strictObject(filters);
export type DonationSummaryQuery = z.infer<typeof DonationSummaryQuery>;

/** Sums of donations in one currency. */
export const DonationSums = z.object({
  currency: Currency,
  count: z.int().describe('Number of donations.'),
  gross_cents: Cents.describe('Sum of the amounts, in minor units.'),
  net_cents: WholeNumber.describe(
    'Gross less refunds, disputes and fees; null until Stripe has reported the fee of every donation.',
  ),
  refunded_cents: Cents.describe(
    'Sum of the refunds of these donations, whatever the date of the refunds.',
  ),
  disputed_cents: Cents.describe(
    'Sum of the amounts that banks took back in disputes and did not return.',
  ),
  fee_cents: WholeNumber.describe(
    'Sum of the fees; null until Stripe has reported the fee of every donation.',
  ),
  dispute_fee_cents: Cents.describe('The part of `fee_cents` that disputes cost.'),
});
export type DonationSums = z.infer<typeof DonationSums>;

/** Sums of donations in one currency, and of payments that are not donations yet. */
export const DonationSummaryRow = DonationSums.extend({
  processing_count: z
    .int()
    .optional()
    .describe('Number of payments whose money is on its way. They are in no other field.'),
  processing_amount_cents: Cents.optional().describe(
    'Sum of the payments whose money is on its way, in minor units.',
  ),
});
export type DonationSummaryRow = z.infer<typeof DonationSummaryRow>;

/** Sums of the donations that match the filters, one row per currency. */
export const DonationSummary = z.object({
  object: kind('donation_summary'),
  data: z.array(DonationSummaryRow).describe('One row for each currency.'),
});
export type DonationSummary = z.infer<typeof DonationSummary>;

/**
 * A fund that has donations, with the fields that donations contain: `GET /donations/funds`.
 */
export const DonationFund = z.object({
  id: Id,
  object: kind('donation_fund'),
  name: Name,
  created_at: CreatedAt,
});
export type DonationFund = z.infer<typeof DonationFund>;
