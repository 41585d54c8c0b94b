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
