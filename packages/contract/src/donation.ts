import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field-schemas.ts';
import {
  AmountFilter,
  IdFilter,
  DateTimeFilter,
  oneOf,
  SearchText,
  StripeName,
} from './list-filters.ts';
import { ListQuery } from './list.ts';
import { Reference } from './donation-reference.ts';

/** Values of `refund_status`: docs/decisions/0007-statuses.md */
export const REFUND_STATUSES = ['none', 'partial', 'full'] as const;
/** Values of `dispute_status`: docs/decisions/0007-statuses.md */
export const DISPUTE_STATUSES = ['none', 'open', 'won', 'lost'] as const;

/** A gift that the processor has reported as paid (spec: donation). */
export const Donation = z.object({
  id: z.string(),
  object: z.literal('donation'),
  amount_cents: Cents,
  /** What remains after fees, refunds and disputes; null until the processor tells its fee. */
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
  /** How it came: `embed`, `api`, `import`. */
  source: z.string(),
  /** The credential or session that it came through. */
  source_id: Text,
  created_at: Timestamp,
  /** Additive: names the donation to people; shown on the thank-you page and the receipt. */
  reference: Reference,
  /** Additive: the processor's fees so far; null until they are known. */
  fee_cents: z.int().nullable(),
  /** Additive: how it was paid, as Stripe names it, such as `card`; null where that is not known. */
  payment_method: Text,
  /** Additive: brand of the card as Stripe names it, such as `visa`; null where none was used. */
  card_brand: Text,
  /** Additive: the payout that the donation's money is part of; null until that is known. */
  payout_id: Text,
  /** Additive: name of the campaign, for what people read. */
  campaign_name: Text,
});
export type Donation = z.infer<typeof Donation>;

/** What narrows donations, in a list as in its sums; additive: docs/decisions/0045-donation-filters.md */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: DateTimeFilter,
  /** Upper bound on creation time, exclusive: a day ends where the next begins. */
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
  /** Searches the donor's name and e-mail address, the reference and the id. */
  q: SearchText,
};

/** Orders of `GET /donations`; a hyphen means descending. By `donor_name`, donations without one come last. */
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
  /** `-created_at` when left out. */
  sort: oneOf(DONATION_SORTS),
});
export type DonationListQuery = z.infer<typeof DonationListQuery>;

/** The query of `GET /donations/summary`. */
export const DonationSummaryQuery = z.strictObject(filters);
export type DonationSummaryQuery = z.infer<typeof DonationSummaryQuery>;

/** What donations of one currency come to. */
export const DonationSums = z.object({
  currency: Currency,
  count: z.int(),
  gross_cents: Cents,
  /** Null while the processor has not told the fee of every one. */
  net_cents: z.int().nullable(),
  /** Of these gifts, whenever it went back. */
  refunded_cents: Cents,
});
export type DonationSums = z.infer<typeof DonationSums>;

/** Sums of the donations that filters leave, one row a currency; additive. */
export const DonationSummary = z.object({
  object: z.literal('donation_summary'),
  data: z.array(DonationSums),
});
export type DonationSummary = z.infer<typeof DonationSummary>;

/** A fund that donations were made to: as much as they tell of it themselves. `GET /donations/funds`, additive. */
export const DonationFund = z.object({
  id: z.string(),
  object: z.literal('donation_fund'),
  name: z.string(),
  created_at: Timestamp,
});
export type DonationFund = z.infer<typeof DonationFund>;
