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
  /** URL of the logo, a public image. Null without a logo; older APIs do not send this field. */
  logo_url: Text.default(null),
  created_at: Timestamp,
});
export type Organization = z.infer<typeof Organization>;
