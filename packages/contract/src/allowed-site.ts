import { z } from 'zod';
import { Timestamp } from './field-schemas.ts';

/**
 * A website that may show the forms and tables of an organization: docs/decisions/0098-allowed-sites.md
 */
export const AllowedSite = z.object({
  id: z.string(),
  object: z.literal('allowed_site'),
  /** An origin as browsers send it, or `https://*.example.org` for every subdomain. */
  origin: z.string(),
  created_at: Timestamp,
});
export type AllowedSite = z.infer<typeof AllowedSite>;
