import { z } from 'zod';
import { Text, Timestamp } from './field-schemas.ts';

/** The nonprofit account of a credential (spec: organization). */
export const Organization = z.object({
  id: z.string(),
  object: z.literal('organization'),
  name: z.string(),
  slug: z.string(),
  legal_name: Text,
  contact_email: Text,
  website: Text,
  tax_id: Text,
  created_at: Timestamp,
});
export type Organization = z.infer<typeof Organization>;
