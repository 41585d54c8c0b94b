import { z } from 'zod';
import { CreatedAt, Currency, Description, Id, Text, Timestamp, kind } from './field-schemas.ts';
import {
  CreatedFrom,
  CreatedTo,
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
});
export type Payout = z.infer<typeof Payout>;

/** Kinds of entries of a payout. */
export const PAYOUT_TRANSACTION_TYPES = [
  'donation',
  'payment',
  'refund',
  'dispute',
  'other',
] as const;

/**
 * The part of a donation, refund, dispute or other amount in a payout. The net amounts of all entries of a payout add
 * up to its amount.
 */
export const PayoutTransaction = z.object({
  id: Id,
  object: kind('payout_transaction'),
  payout_id: z.string().describe('Id of the payout.'),
  donation_id: Text.describe('Id of the donation; null if the entry belongs to no donation.'),
  type: z
    .enum(PAYOUT_TRANSACTION_TYPES)
    .describe(
      'The donation itself, or its refund or dispute. `payment`: a payment that is not a donation, for an event or made outside Connect. `other`: the rest of the payout, such as fees of the processor.',
    ),
  amount_cents: z.int().describe('In minor units; negative for refunds and disputes.'),
  fee_cents: z.int().describe('Processing fee in minor units.'),
  net_amount_cents: z.int().describe('What it contributes to the payout.'),
  currency: Currency,
  created_at: CreatedAt,
});
export type PayoutTransaction = z.infer<typeof PayoutTransaction>;

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
  status: oneOf(PAYOUT_STATUSES).describe('Only resources with this status.'),
  amount_from_cents: SignedAmountFilter.describe(
    'Only payouts of at least this amount, in minor units.',
  ),
  amount_to_cents: SignedAmountFilter.describe(
    'Only payouts of at most this amount, in minor units.',
  ),
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
