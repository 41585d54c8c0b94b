import { z } from 'zod';
import { Currency, PersonName, Text, Timestamp } from './field-schemas.ts';
import { DonationTerms, GiftTermsInput } from './donation-terms.ts';
import { isWildcardOrigin } from './site-origin.ts';

/** Embed and component sessions last one hour (spec: Limits). */
export const SESSION_LIFETIME_SECONDS = 3600;

/** What the form already knows about its donor. */
export const Prefill = z.strictObject({
  donor_name: PersonName.optional(),
  donor_email: z.email().max(254).optional(),
});
export type Prefill = z.infer<typeof Prefill>;

/** A host on the machine itself, where a site is tried before it has a certificate. */
const LOOPBACK_ORIGIN =
  /^http:\/\/(?:[\w-]+\.)*localhost(?::\d+)?$|^http:\/\/127\.0\.0\.1(?::\d+)?$/;

/**
 * A site that shows a form, as browsers name it, or `https://*.example.org` for every subdomain. It is
 * written into a policy for browsers (`frame-ancestors`), where that means the same, and any other `*`
 * or `;` would say more: no other character passes than those of a host.
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
  );

/** As many sites as one session can name. */
export const MAX_SITE_ORIGINS = 20;

/** Body of the API's `POST /embed-sessions`; may be empty (spec: Write endpoints). */
export const CreateEmbedSession = GiftTermsInput.extend({
  prefill: Prefill.optional(),
  /**
   * Sites that show the form; additive. Wallets are registered for them, and they alone may frame the
   * hosted page: docs/decisions/0048-accounts-and-sites.md, 0053-hosted-page-in-frames.md
   */
  origins: z.array(SiteOrigin).max(MAX_SITE_ORIGINS).optional(),
});
export type CreateEmbedSession = z.infer<typeof CreateEmbedSession>;

/** A one-hour leave to give under fixed terms (spec: embed_session). */
export const EmbedSession = z.object({
  id: z.string(),
  object: z.literal('embed_session'),
  session_token: z.string(),
  organization_id: z.string(),
  embed_url: z.string(),
  expires_at: Timestamp,
});
export type EmbedSession = z.infer<typeof EmbedSession>;

/**
 * What an element needs to draw the form: `GET /embed-sessions/current`, additive.
 *
 * Carries no secret: everything here is meant for the donor's browser.
 */
export const EmbedForm = z.object({
  object: z.literal('embed_form'),
  organization: z.object({ id: z.string(), name: z.string() }),
  currency: Currency,
  terms: DonationTerms,
  /** Name of the fund or campaign that the terms fix, to show above the amounts. */
  fund_name: Text,
  campaign_name: Text,
  prefill: z.object({ donor_name: Text, donor_email: Text }),
  publishable_key: z.string(),
  stripe_account_id: z.string(),
  /** Where the processor's browser script is: Stripe's own, or the sandbox's. */
  stripe_js_url: z.string(),
  livemode: z.boolean(),
  /** A complete gift is followed by a receipt to the donor's address. Older services do not say. */
  receipts: z.boolean().default(false),
});
export type EmbedForm = z.infer<typeof EmbedForm>;

/** Body of the server's `POST /embed-sessions`: the page names a form and nothing about money. */
export const CreateFormSession = z.strictObject({ form: z.string().min(1).max(100).optional() });
export type CreateFormSession = z.infer<typeof CreateFormSession>;

/** The server's answer to it: a token of this visitor, and the form to draw. */
export const FormSession = EmbedSession.extend({
  form: EmbedForm,
  /**
   * Additive: a donation without a proof of work would be answered with a challenge, or 428, at this moment. A page that
   * asks `POST /challenges` first saves that response; one that does not know the field loses nothing.
   */
  proof_required: z.boolean().optional(),
});
export type FormSession = z.infer<typeof FormSession>;
