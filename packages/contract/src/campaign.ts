import { z } from 'zod';
import { Text, Timestamp } from './field.ts';

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
