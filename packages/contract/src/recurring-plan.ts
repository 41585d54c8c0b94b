import { z } from 'zod';
import {
  CampaignId,
  Cents,
  CreatedAt,
  Currency,
  FundId,
  Id,
  Livemode,
  Text,
  Timestamp,
  kind,
} from './field-schemas.ts';
import { LivemodeFilter } from './list-filters.ts';
import { ListQuery } from './list.ts';
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
  id: Id,
  object: kind('recurring_plan'),
  amount_cents: Cents.describe('Amount of each payment, in minor units.'),
  currency: Currency,
  frequency: z.enum(FREQUENCIES).exclude(['one_time']).describe('How often the donor pays.'),
  status: z
    .enum(RECURRING_PLAN_STATUSES)
    .describe(
      '`past_due`: the last payment failed and is tried again. `incomplete`: the first payment is not complete.',
    ),
  donor_name: Text.describe('Name of the donor.'),
  donor_email: Text.describe('Email address of the donor.'),
  fund_id: FundId,
  campaign_id: CampaignId,
  next_payment_at: Timestamp.nullable().describe(
    'Time of the next payment; null if none is scheduled.',
  ),
  created_at: CreatedAt,
  canceled_at: Timestamp.nullable().describe('Time of cancellation.'),
  livemode: Livemode,
});
export type RecurringPlan = z.infer<typeof RecurringPlan>;

/** The query of `GET /recurring-plans`. */
export const RecurringPlanListQuery = ListQuery.extend({ livemode: LivemodeFilter });
export type RecurringPlanListQuery = z.infer<typeof RecurringPlanListQuery>;
