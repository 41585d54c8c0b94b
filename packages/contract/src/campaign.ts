import { z } from 'zod';
import {
  Cents,
  CreatedAt,
  Currency,
  Description,
  GoalCents,
  Id,
  Name,
  Slug,
  Timestamp,
  kind,
} from './field-schemas.ts';

/** A campaign with an optional goal and period (spec: campaign). */
export const Campaign = z.object({
  id: Id,
  object: kind('campaign'),
  slug: Slug,
  name: Name,
  description: Description,
  goal_cents: GoalCents,
  is_active: z.boolean().describe('Whether the campaign accepts donations.'),
  start_date: Timestamp.nullable().describe('First day; null for none.'),
  end_date: Timestamp.nullable().describe('Last day; null for none.'),
  created_at: CreatedAt,
});
export type Campaign = z.infer<typeof Campaign>;

/**
 * The amount that a campaign has raised: docs/decisions/0055-campaign-progress.md
 *
 * It contains only sums and no personal data, so it may be public.
 */
export const CampaignProgress = z.object({
  object: kind('campaign_progress'),
  campaign_id: z.string().describe('Id of the campaign.'),
  name: Name,
  currency: Currency.describe(
    'The organization’s currency; donations in other currencies are not counted.',
  ),
  goal_cents: Cents.nullable().describe('Goal, in minor units; null for none.'),
  raised_cents: Cents.describe(
    'Donations minus refunds and lost disputes, in minor units; fees are not deducted.',
  ),
});
export type CampaignProgress = z.infer<typeof CampaignProgress>;
