import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field-schemas.ts';

/** A campaign with an optional goal and period (spec: campaign). */
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
 * The amount that a campaign has raised: docs/decisions/0055-campaign-progress.md
 *
 * It contains only sums and no personal data, so it may be public.
 */
export const CampaignProgress = z.object({
  object: z.literal('campaign_progress'),
  campaign_id: z.string(),
  name: z.string(),
  /** The organization's currency; donations in other currencies are not in the sum. */
  currency: Currency,
  goal_cents: Cents.nullable(),
  /** Gross donations minus refunds and lost disputes; processing fees are not deducted. */
  raised_cents: Cents,
});
export type CampaignProgress = z.infer<typeof CampaignProgress>;
