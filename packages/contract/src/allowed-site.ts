import { z } from 'zod';
import { SiteOrigin } from './embed-session.ts';
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

/** Body of `POST /allowed-site-requests`: the origin of a website that wants to show a form. */
export const CreateAllowedSiteRequest = z.strictObject({
  origin: SiteOrigin.refine(
    (origin) => !origin.includes('*'),
    'must be the origin of one website. Owners add https://*.example.org in the dashboard.',
  ),
});
export type CreateAllowedSiteRequest = z.infer<typeof CreateAllowedSiteRequest>;

/**
 * The request of a website to be allowed: docs/decisions/0102-wordpress-and-site-requests.md
 *
 * It allows nothing: an owner or admin decides in the dashboard.
 */
export const AllowedSiteRequest = z.object({
  object: z.literal('allowed_site_request'),
  origin: z.string(),
  /** `allowed`: the website is on the list of allowed sites. `pending`: nobody has allowed it yet. */
  status: z.enum(['allowed', 'pending']),
});
export type AllowedSiteRequest = z.infer<typeof AllowedSiteRequest>;
