import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field-schemas.ts';

/** A drive towards a goal over a time (spec: campaign). */
export const Campaign = z.object({
  id: z.string(),
  object: z.literal('campaign'),
  slug: z.string(),
  name: z.string(),
  description: Text,
  goal_cents: z.int().nullable(),
  is_active: z.boolean(),
  start_date: Timestamp.nullable(),
  end_date: Timestamp.nullable(),
  created_at: Timestamp,
});
export type Campaign = z.infer<typeof Campaign>;

/**
 * What a campaign has raised; additive: docs/decisions/0055-goal.md
 *
 * Sums alone, so that it may be shown to anybody.
 */
export const CampaignProgress = z.object({
  object: z.literal('campaign_progress'),
  campaign_id: z.string(),
  name: z.string(),
  /** The organization's own; gifts in others are not in the sum. */
  currency: Currency,
  goal_cents: Cents.nullable(),
  /** Given, less refunds and lost disputes; fees are in it. */
  raised_cents: Cents,
});
export type CampaignProgress = z.infer<typeof CampaignProgress>;
