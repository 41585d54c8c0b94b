import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';

/** Values of a fund's `type`: docs/decisions/0002-specification-gaps.md */
export const FUND_TYPES = ['unrestricted', 'restricted', 'endowment'] as const;

/** The purpose of a donation (spec: fund). */
export const Fund = z.object({
  id: z.string(),
  object: z.literal('fund'),
  name: z.string(),
  description: Text,
  type: z.enum(FUND_TYPES),
  goal_cents: z.int().nullable(),
  published: z.boolean(),
  created_at: Timestamp,
});
export type Fund = z.infer<typeof Fund>;
