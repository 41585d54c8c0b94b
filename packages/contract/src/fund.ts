import { z } from 'zod';
import { CreatedAt, Description, GoalCents, Id, Name, kind } from './field-schemas.ts';

/** Values of a fund's `type`: docs/decisions/0002-specification-gaps.md */
export const FUND_TYPES = ['unrestricted', 'restricted', 'endowment'] as const;

/** The purpose of a donation (spec: fund). */
export const Fund = z.object({
  id: Id,
  object: kind('fund'),
  name: Name,
  description: Description,
  type: z.enum(FUND_TYPES).describe('Restriction of the fund.'),
  goal_cents: GoalCents,
  published: z.boolean().describe('Whether donors can see it.'),
  created_at: CreatedAt,
});
export type Fund = z.infer<typeof Fund>;
