import { z } from 'zod';
import {
  Currency,
  EmailAddress,
  ExpiresAt,
  Id,
  OrganizationId,
  PersonName,
  PublishableKey,
  SingleLineText,
  Text,
  kind,
} from './field-schemas.ts';
import { DonationTerms, DonationTermsInput } from './donation-terms.ts';
import { FormSlug, HexColor } from './form.ts';
import { isWildcardOrigin, sharedDomainProblem } from './site-origin.ts';

/** Embed and component sessions last one hour (spec: Limits). */
export const SESSION_LIFETIME_SECONDS = 3600;

/** Fields of the donor that the form prefills. */
export const Prefill = z.strictObject({
  donor_name: PersonName.optional().describe('Name of the donor.'),
  donor_email: EmailAddress.optional().describe('Email address of the donor.'),
});
export type Prefill = z.infer<typeof Prefill>;

/** Matches origins on the same machine, where a site is tested without a certificate. */
const LOOPBACK_ORIGIN =
  /^http:\/\/(?:[\w-]+\.)*localhost(?::\d+)?$|^http:\/\/127\.0\.0\.1(?::\d+)?$/;

/**
 * Origin of a site that shows a form, or `https://*.example.org` for every subdomain.
 *
 * The value is written into a CSP header (`frame-ancestors`), where the asterisk means the same.
 * Only characters of a host name are accepted: another `*` or a `;` would change the policy. A wildcard
 * must not allow the websites of others: docs/decisions/0098-allowed-sites.md
 */
export const SiteOrigin = z
  .string()
  .max(300)
  .refine(
    (text) =>
      isWildcardOrigin(text) ||
      (URL.parse(text)?.origin === text &&
        (LOOPBACK_ORIGIN.test(text) || /^https:\/\/[\w.-]+(?::\d+)?$/.test(text))),
    'must be an https origin, such as https://www.example.org, or https://*.example.org for every subdomain (no path, no final slash).',
  )
  .refine((text) => sharedDomainProblem(text) === undefined, {
    error: ({ input }) => sharedDomainProblem(String(input)),
  });

/** Highest number of sites of one session. */
export const MAX_SITE_ORIGINS = 20;

/**
 * Body of the API's `POST /embed-sessions`; may be empty (spec: Write endpoints). It has either `form`
 * or the fields of the terms.
 */
export const CreateEmbedSession = DonationTermsInput.extend({
  form: FormSlug.optional().describe(
    'Slug of a published form, which fixes the terms. Cannot be combined with fields of the terms.',
  ),
  form_version: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('A version of the form; by default the one that is live.'),
  form_name: SingleLineText.min(1)
    .max(100)
    .optional()
    .describe(
      'With fields of the terms: under which name your server shows this form. Emails link to its page there, `/give/{form_name}`.',
    ),
  prefill: Prefill.optional().describe('The donor’s data, if you know it.'),
  // They are registered for wallets, too: docs/decisions/0048-connected-accounts.md,
  // docs/decisions/0023-hosted-page.md
  origins: z
    .array(SiteOrigin)
    .max(MAX_SITE_ORIGINS)
    .optional()
    .describe('Origins of the sites that show the form. No other site may frame its page.'),
});
export type CreateEmbedSession = z.infer<typeof CreateEmbedSession>;

/**
 * How a form looks and what it says, as its owner has set it in the dashboard: docs/decisions/0097-forms.md
 *
 * The values are ready for the element: it draws a form without further work. They are not checked
 * here, so that a server accepts values that a later API adds. What the page sets on the element takes
 * precedence.
 */
export const FormPresentation = z.object({
  properties: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'Properties of the element that the page has not set, such as `display` and `theme`.',
    ),
  messages: z
    .record(z.string(), z.string())
    .default({})
    .describe('Messages of the form by key, in every language, such as `title`.'),
  style: z
    .string()
    .default('')
    .describe('CSS declarations of the element, such as `--connect-color-primary: #0b6b5b`.'),
  accent_color: HexColor.describe(
    'The main color in the light theme, for a page around the form; null without one.',
  ),
  impact_texts: z
    .record(z.string(), z.string())
    .default({})
    .describe('What each amount achieves, by amount in the smallest unit of the currency.'),
  impact_texts_by_frequency: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe('The same for the amounts of a frequency.'),
});
export type FormPresentation = z.infer<typeof FormPresentation>;

/**
 * The data from which an element renders the form: `GET /embed-sessions/current`.
 *
 * It contains no secret: all of it is meant for the donor's browser.
 */
export const EmbedForm = z.object({
  object: kind('embed_form'),
  organization: z
    .object({
      id: z.string(),
      name: z.string(),
      // Older APIs do not send the fields below.
      time_zone: z.string().optional().describe('IANA name of its time zone.'),
      contact_email: Text.optional().describe('Public email address; null without one.'),
      logo_url: Text.optional().describe(
        'URL of the logo, a public PNG, JPEG or WebP image; null without one.',
      ),
    })
    .describe('The organization that receives the donation.'),
  currency: Currency,
  terms: DonationTerms.describe('Which donations the form accepts.'),
  fund_name: Text.describe('Name of the fund that the terms fix.'),
  campaign_name: Text.describe('Name of the campaign that the terms fix.'),
  prefill: z
    .object({ donor_name: Text, donor_email: Text })
    .describe('The donor’s data, as the session was created with.'),
  publishable_key: PublishableKey,
  // Absent instead of null, so that the element passes the field to Stripe.js as it is.
  stripe_account_id: z
    .string()
    .optional()
    .describe(
      'The organization’s account at the payment processor, for its browser script. Absent if the publishable key belongs to that account.',
    ),
  stripe_js_url: z.string().describe('URL of the payment processor’s browser script.'),
  livemode: z.boolean().describe('False in test mode, where no money moves.'),
  // Older APIs do not send the fields below.
  receipts: z.boolean().default(false).describe('Whether a receipt is sent by email.'),
  payment_method_types: z
    .array(z.string())
    .optional()
    .describe(
      'The payment methods to which the payment processor’s fields are restricted, in this order. Absent from an older API, which does not restrict them.',
    ),
  form_id: Text.default(null).describe(
    'Id of the published form; null if the caller set the terms.',
  ),
  form_version: z
    .int()
    .nullable()
    .default(null)
    .describe('Version of the published form; null if the caller set the terms.'),
  presentation: FormPresentation.optional().describe(
    'How the form looks and what it says, if its owner has set it in the dashboard.',
  ),
});
export type EmbedForm = z.infer<typeof EmbedForm>;

/**
 * What a page needs to draw a form, the same for all visitors: response of the BFF's `GET /embed-form`.
 *
 * The keys with which the page confirms a payment come with the visitor's session, once the donor uses
 * the form.
 */
export const PublicForm = EmbedForm.omit({ publishable_key: true, stripe_account_id: true });
export type PublicForm = z.infer<typeof PublicForm>;

export function toPublicForm(form: EmbedForm): PublicForm {
  const { publishable_key: _key, stripe_account_id: _account, ...publicForm } = form;
  return publicForm;
}

/** A one-hour session for donations under fixed terms (spec: embed_session). */
export const EmbedSession = z.object({
  id: Id,
  object: kind('embed_session'),
  session_token: z.string().describe('Bearer token for the donor’s browser.'),
  organization_id: OrganizationId,
  embed_url: z.string().describe('URL of a page with the form, for a link or a frame.'),
  expires_at: ExpiresAt,
  // Older APIs do not send this field.
  form: EmbedForm.optional().describe(
    'The data of the form, as from `GET /embed-sessions/current`.',
  ),
});
export type EmbedSession = z.infer<typeof EmbedSession>;

/** Query of the BFF's `GET /embed-form`: the page names a form, and cannot set its terms. */
export const FormQuery = z.strictObject({ form: z.string().min(1).max(100).optional() });

/** Body or query of the BFF's `POST /embed-sessions`. */
export const CreateFormSession = FormQuery.extend({
  /** The version of a form of the dashboard that the page shows; by default the one that is live. */
  form_version: z.coerce.number<string | number>().int().min(1).max(1_000_000).optional(),
});
export type CreateFormSession = z.infer<typeof CreateFormSession>;

/**
 * Response of the BFF's `POST /embed-sessions`: a token for this visitor, and the form to render.
 */
export const FormSession = EmbedSession.extend({
  form: EmbedForm,
  /**
   * True if a donation without a proof of work would currently get a challenge or a 428.
   * The page can then call `POST /challenges` first and save a request; the field may be ignored.
   */
  proof_required: z.boolean().optional(),
});
export type FormSession = z.infer<typeof FormSession>;
