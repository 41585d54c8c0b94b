import { z } from 'zod';
import { Currency, Text, Timestamp } from './field.ts';

/** Stripe's own payout statuses: docs/decisions/0007-statuses.md */
export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** A deposit to the organization's bank account (spec: payout). */
export const Payout = z.object({
  id: z.string(),
  object: z.literal('payout'),
  amount_cents: z.int(),
  currency: Currency,
  status: z.enum(PAYOUT_STATUSES),
  /** The bank's calendar date, as midnight UTC: show it in UTC, whatever the viewer's zone. */
  arrival_date: Timestamp,
  created: Timestamp,
  description: Text,
  statement_descriptor: Text,
});
export type Payout = z.infer<typeof Payout>;

/** What an entry of a payout is about. */
export const PAYOUT_DONATION_TYPES = ['gift', 'refund', 'dispute'] as const;

/** What one donation, its refund or its dispute adds to a payout; additive to the specification. */
export const PayoutDonation = z.object({
  id: z.string(),
  object: z.literal('payout_donation'),
  payout_id: z.string(),
  /** Null for a payment that was not taken here. */
  donation_id: Text,
  type: z.enum(PAYOUT_DONATION_TYPES),
  /** Negative where money went back. */
  amount_cents: z.int(),
  fee_cents: z.int(),
  /** What it adds to the payout. */
  net_amount_cents: z.int(),
  currency: Currency,
  created_at: Timestamp,
});
export type PayoutDonation = z.infer<typeof PayoutDonation>;
