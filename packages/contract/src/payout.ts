import { z } from 'zod';
import { Currency, Text, Timestamp } from './field-schemas.ts';
import { DateTimeFilter, oneOf, SearchText, SignedAmountFilter, TimeZone } from './list-filters.ts';
import { ListQuery } from './list.ts';

/** Stripe's own payout statuses: docs/decisions/0002-specification-gaps.md */
export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** A payout of an organization's funds to its bank account (spec: payout). */
export const Payout = z.object({
  id: z.string(),
  object: z.literal('payout'),
  amount_cents: z.int(),
  currency: Currency,
  status: z.enum(PAYOUT_STATUSES),
  /**
   * The calendar date at the bank, as midnight UTC. It must be formatted in UTC, whatever the
   * viewer's time zone.
   */
  arrival_date: Timestamp,
  created: Timestamp,
  description: Text,
  statement_descriptor: Text,
});
export type Payout = z.infer<typeof Payout>;

/** Kinds of entries of a payout. */
export const PAYOUT_DONATION_TYPES = ['donation', 'payment', 'refund', 'dispute', 'other'] as const;

/**
 * The part of a donation, refund, dispute or other amount in a payout. The net amounts of all entries of a payout add
 * up to its amount.
 */
export const PayoutDonation = z.object({
  id: z.string(),
  object: z.literal('payout_donation'),
  payout_id: z.string(),
  /** Null if the entry belongs to no donation. */
  donation_id: Text,
  /**
   * `payment` is a payment that is not a donation: for an event, or made outside Connect. `other` is the rest of the
   * payout, such as fees of the processor.
   */
  type: z.enum(PAYOUT_DONATION_TYPES),
  /** Negative for refunds and disputes. */
  amount_cents: z.int(),
  fee_cents: z.int(),
  /** Contribution to the payout's amount. */
  net_amount_cents: z.int(),
  currency: Currency,
  created_at: Timestamp,
});
export type PayoutDonation = z.infer<typeof PayoutDonation>;

/** Sort orders of `GET /payouts`; a hyphen means descending. */
export const PAYOUT_SORTS = [
  '-created',
  'created',
  '-arrival_date',
  'arrival_date',
  '-amount_cents',
  'amount_cents',
] as const;

/**
 * Filters of payouts, in lists and in the summary:
 * docs/decisions/0045-filters-search-and-sums.md
 */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: DateTimeFilter,
  /** Upper bound on creation time, exclusive. */
  created_to: DateTimeFilter,
  status: oneOf(PAYOUT_STATUSES),
  /** Smallest and largest amount, both inclusive. */
  amount_from_cents: SignedAmountFilter,
  amount_to_cents: SignedAmountFilter,
  /** Searches description, statement descriptor, amount and id. */
  q: SearchText,
};

/** The query of `GET /payouts`. */
export const PayoutListQuery = ListQuery.extend({
  ...filters,
  /** `-created` when absent. */
  sort: oneOf(PAYOUT_SORTS),
});
export type PayoutListQuery = z.infer<typeof PayoutListQuery>;

/** The query of `GET /payouts/export.csv`: the filters and the order of the list. */
export const PayoutExportQuery = PayoutListQuery.omit({ limit: true, cursor: true }).extend({
  /** Time zone of the times in the file; the organization's when absent. */
  time_zone: TimeZone,
});
export type PayoutExportQuery = z.infer<typeof PayoutExportQuery>;

/** The query of `GET /payouts/summary`. */
export const PayoutSummaryQuery = z.strictObject(filters);
export type PayoutSummaryQuery = z.infer<typeof PayoutSummaryQuery>;

/**
 * Number and sums of the payouts that match the filters, one row per currency. Payouts that failed or were canceled
 * are only in `by_status`, because a later payout pays their money, unless the
 * query asks for their status.
 */
export const PayoutSummary = z.object({
  object: z.literal('payout_summary'),
  data: z.array(
    z.object({
      currency: Currency,
      count: z.int(),
      amount_cents: z.int(),
      /** One row per status, in alphabetical order. */
      by_status: z.array(
        z.object({ status: z.enum(PAYOUT_STATUSES), count: z.int(), amount_cents: z.int() }),
      ),
    }),
  ),
});
export type PayoutSummary = z.infer<typeof PayoutSummary>;
