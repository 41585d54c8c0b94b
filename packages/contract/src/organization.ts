import { z } from 'zod';
import { CreatedAt, Id, Name, Slug, Text, kind } from './field-schemas.ts';

/** The nonprofit account of a credential (spec: organization). */
export const Organization = z.object({
  id: Id,
  object: kind('organization'),
  name: Name,
  slug: Slug,
  legal_name: Text.describe('Name in law.'),
  contact_email: Text.describe('Public email address.'),
  website: Text.describe('URL of the website.'),
  tax_id: Text.describe('Tax id.'),
  // Older APIs do not send this field.
  logo_url: Text.default(null).describe('URL of the logo, a public PNG, JPEG or WebP image.'),
  created_at: CreatedAt,
});
export type Organization = z.infer<typeof Organization>;
