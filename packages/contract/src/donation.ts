import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field.ts';
import { ListQuery } from './list.ts';

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
});
export type Donation = z.infer<typeof Donation>;

const NO_MOMENT = 'must be an ISO-8601 date-time such as 2026-01-31T00:00:00Z.';
/** No year 0, and no clock that is 16 hours off: PostgreSQL knows neither. */
const Moment = z.iso
  .datetime({ offset: true, error: NO_MOMENT })
  .refine((text) => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text), NO_MOMENT)
  .optional();
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}.`).optional();
const Id = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'must be an id.')
  .optional();

/** What narrows donations, in a list as in its sums; additive: docs/decisions/0045-donation-filters.md */
const filters = {
  /** Lower bound on creation time, inclusive. */
  created_from: Moment,
  /** Upper bound on creation time, exclusive: a day ends where the next begins. */
  created_to: Moment,
  fund_id: Id,
  campaign_id: Id,
  recurring: oneOf(['true', 'false']),
  refund_status: oneOf(REFUND_STATUSES),
  dispute_status: oneOf(DISPUTE_STATUSES),
};

/** The query of `GET /donations`. */
export const DonationListQuery = ListQuery.extend(filters);
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
