import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field-schemas.ts';
import { FREQUENCIES } from './donation-terms.ts';

/** Values of a plan's `status`: docs/decisions/0036-subscriptions.md */
export const RECURRING_PLAN_STATUSES = [
  'active',
  'paused',
  'past_due',
  'canceled',
  'incomplete',
] as const;

/** A subscription of a donor (a recurring donation). */
export const RecurringPlan = z.object({
  id: z.string(),
  object: z.literal('recurring_plan'),
  /** Amount of each payment. */
  amount_cents: Cents,
  currency: Currency,
  frequency: z.enum(FREQUENCIES).exclude(['one_time']),
  status: z.enum(RECURRING_PLAN_STATUSES),
  donor_name: Text,
  donor_email: Text,
  fund_id: Text,
  campaign_id: Text,
  /** Null if no payment is scheduled: paused, canceled or incomplete. */
  next_payment_at: Timestamp.nullable(),
  created_at: Timestamp,
  canceled_at: Timestamp.nullable(),
});
export type RecurringPlan = z.infer<typeof RecurringPlan>;
