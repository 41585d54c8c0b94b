import { z } from 'zod';
import { SiteOrigin } from './embed-session.ts';
import { CreatedAt, Id, kind } from './field-schemas.ts';

/**
 * A website that may show the forms and tables of an organization: docs/decisions/0098-allowed-sites.md
 */
export const AllowedSite = z.object({
  id: Id,
  object: kind('allowed_site'),
  origin: z
    .string()
    .describe('Origin as browsers send it; `https://*.example.org` allows every subdomain.'),
  created_at: CreatedAt,
});
export type AllowedSite = z.infer<typeof AllowedSite>;

/** Body of `POST /allowed-site-requests`: a website that wants to show a form, or was refused one. */
export const CreateAllowedSiteRequest = z.strictObject({
  origin: SiteOrigin.refine(
    (origin) => !origin.includes('*'),
    'must be the origin of one website. Owners add https://*.example.org in the dashboard.',
  ).describe('Origin of the website as browsers send it.'),
  refused: z
    .boolean()
    .optional()
    .describe(
      'True if nobody asks: a page of the website was refused a form. Owners get no email, and the dashboard shows it for a day.',
    ),
  form: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Name of the form that the page was refused, as in the code of the page.'),
});
export type CreateAllowedSiteRequest = z.infer<typeof CreateAllowedSiteRequest>;

/**
 * The request of a website to be allowed: docs/decisions/0102-wordpress-and-site-requests.md
 *
 * It allows nothing: an owner or admin decides in the dashboard.
 */
export const AllowedSiteRequest = z.object({
  object: kind('allowed_site_request'),
  origin: z.string().describe('Origin of the website.'),
  status: z
    .enum(['allowed', 'pending'])
    .describe('`allowed`: the website is an allowed site. `pending`: nobody has allowed it yet.'),
});
export type AllowedSiteRequest = z.infer<typeof AllowedSiteRequest>;
