import { z } from 'zod';
import {
  CreatedAt,
  Currency,
  Description,
  Id,
  Livemode,
  Text,
  Timestamp,
  kind,
} from './field-schemas.ts';
import {
  CreatedFrom,
  CreatedTo,
  DateTimeFilter,
  LivemodeFilter,
  SearchText,
  SignedAmountFilter,
  TimeZone,
  oneOf,
  sortOrder,
} from './list-filters.ts';
import { ListQuery } from './list.ts';

/** Stripe's own payout statuses: docs/decisions/0002-specification-gaps.md */
export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** A payout of an organization's funds to its bank account (spec: payout). */
export const Payout = z.object({
  id: Id,
  object: kind('payout'),
  amount_cents: z
    .int()
    .describe('Amount in minor units; negative if it was taken from the bank account.'),
  currency: Currency,
  status: z.enum(PAYOUT_STATUSES).describe('As at Stripe.'),
  arrival_date: Timestamp.describe('The day of arrival as midnight UTC: format it in UTC.'),
  created: CreatedAt,
  description: Description,
  statement_descriptor: Text.describe('Text on the bank statement.'),
  automatic: z
    .boolean()
    .describe('False if a person made the payout at Stripe, which then lists no transactions.'),
  trace_id: Text.describe(
    'Number with which the bank can find the payout; null until it is known.',
  ),
  livemode: Livemode,
});
export type Payout = z.infer<typeof Payout>;

/** A part of the fee of a transaction, as at Stripe. */
export const FeeDetail = z.object({
  amount_cents: z.int().describe('In minor units.'),
  currency: Currency,
  type: z.string().describe('As at Stripe, such as `stripe_fee`, `application_fee` or `tax`.'),
  description: Description,
});
export type FeeDetail = z.infer<typeof FeeDetail>;

/**
 * A balance transaction at Stripe that a payout contains: a donation, refund, dispute, fee, reserve or other amount.
 * The net amounts of all transactions of an automatic payout add up to its amount.
 */
export const BalanceTransaction = z.object({
  id: Id,
  object: kind('balance_transaction'),
  payout_id: z.string().describe('Id of the payout.'),
  donation_id: Text.describe(
    'Id of the donation that was paid, refunded or disputed; null if the transaction belongs to no donation, as a fee, or a payment for an event or made outside Connect.',
  ),
  reporting_category: z
    .string()
    .describe(
      'What it is, as Stripe names it for bookkeeping, such as `charge`, `refund`, `dispute`, `fee` or `risk_reserved_funds`. Stripe may add values. The money of a payout that failed is in a later payout: as the transactions of the failed one, its `payout` and the `payout_reversal`.',
    ),
  amount_cents: z
    .int()
    .describe('In minor units; negative if it reduces the payout, such as a refund.'),
  fee_cents: z.int().describe('Processing fee in minor units.'),
  fee_details: z.array(FeeDetail).describe('The parts of the fee.'),
  net_amount_cents: z.int().describe('What it contributes to the payout.'),
  currency: Currency,
  exchange_rate: z
    .number()
    .nullable()
    .describe(
      'Units of `currency` for one unit of the currency of the payment; null if it is the same.',
    ),
  available_on: Timestamp.nullable().describe(
    'When the amount became available for payouts; null if it is unknown.',
  ),
  processor_transaction_id: Text.describe("Stripe's id of the balance transaction."),
  processor_source_id: Text.describe("Stripe's id of the charge, refund, payout or other source."),
  created_at: CreatedAt,
});
export type BalanceTransaction = z.infer<typeof BalanceTransaction>;

/** Sort orders of `GET /payouts`. */
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
  created_from: CreatedFrom,
  created_to: CreatedTo,
  arrival_from: DateTimeFilter.describe('Only payouts that arrive at this time or later.'),
  arrival_to: DateTimeFilter.describe('Only payouts that arrive before this time.'),
  status: oneOf(PAYOUT_STATUSES).describe('Only resources with this status.'),
  amount_from_cents: SignedAmountFilter.describe(
    'Only payouts of at least this amount, in minor units.',
  ),
  amount_to_cents: SignedAmountFilter.describe(
    'Only payouts of at most this amount, in minor units.',
  ),
  livemode: LivemodeFilter,
  q: SearchText,
};

/** The query of `GET /payouts`. */
export const PayoutListQuery = ListQuery.extend({
  ...filters,
  /** `-created` when absent. */
  sort: sortOrder(PAYOUT_SORTS),
});
export type PayoutListQuery = z.infer<typeof PayoutListQuery>;

/** The query of `GET /payouts/export.csv`: the filters and the order of the list. */
export const PayoutExportQuery = PayoutListQuery.omit({ limit: true, cursor: true }).extend({
  time_zone: TimeZone,
});
export type PayoutExportQuery = z.infer<typeof PayoutExportQuery>;

/** The query of `GET /payouts/summary`. */
export const PayoutSummaryQuery = z.strictObject(filters);
export type PayoutSummaryQuery = z.infer<typeof PayoutSummaryQuery>;

/** Number and sums of the payouts that match the filters. */
export const PayoutSummary = z.object({
  object: kind('payout_summary'),
  data: z
    .array(
      z.object({
        currency: Currency,
        count: z.int().describe('Number of payouts.'),
        amount_cents: z.int().describe('Sum of the amounts, in minor units.'),
        by_status: z
          .array(
            z.object({ status: z.enum(PAYOUT_STATUSES), count: z.int(), amount_cents: z.int() }),
          )
          .describe('One row per status, in alphabetical order.'),
      }),
    )
    .describe(
      'One row for each currency. `count` and `amount_cents` leave out payouts that failed or were canceled, because a later payout pays their money, unless the query asks for their status.',
    ),
});
export type PayoutSummary = z.infer<typeof PayoutSummary>;
