import { z } from 'zod';
import { DonationTerms } from './donation-terms.ts';
import { Timestamp } from './field-schemas.ts';

/**
 * States of a form. A `draft` was never published, a `live` form accepts donations, and a `closed`
 * form was published and accepts no donations until it is opened again.
 */
export const FORM_STATUSES = ['draft', 'live', 'closed'] as const;

/** The name of a form in the code of pages: lower-case words separated by hyphens. */
export const FormSlug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words separated by hyphens.');

/** Limits of the texts of a giving page, in characters. */
export const MAX_PAGE_TITLE = 120;
export const MAX_PAGE_DESCRIPTION = 600;

/** How a form's own page on the server, `/give/{slug}`, is shown: docs/decisions/0100-giving-pages.md */
export const FormPage = z.object({
  /** The heading of the page; null for the usual one. */
  title: z.string().max(MAX_PAGE_TITLE).nullable(),
  /** Text below the heading, also shown where the link is shared; null for none. */
  description: z.string().max(MAX_PAGE_DESCRIPTION).nullable(),
  /** Whether search engines may show the page. */
  is_indexable: z.boolean(),
  /** Whether pages of the organization's closed forms refer to this form. */
  is_listed: z.boolean(),
});
export type FormPage = z.infer<typeof FormPage>;

/** The page of a form whose settings do not mention it. */
export const DEFAULT_FORM_PAGE: FormPage = {
  title: null,
  description: null,
  is_indexable: false,
  is_listed: false,
};

/** The settings of a form that its owner edits and publishes as a version. */
export const FormSettings = z.object({
  /** The donations that the form accepts. */
  terms: DonationTerms,
  page: FormPage.optional(),
});
export type FormSettings = z.infer<typeof FormSettings>;

/** A donation form that is edited in the dashboard: docs/decisions/0097-forms.md */
export const Form = z.object({
  id: z.string(),
  object: z.literal('form'),
  /** The name by which a page selects the form: `<connect-donate form="spring">`. */
  slug: z.string(),
  /** The name that the organization's members see. */
  name: z.string(),
  status: z.enum(FORM_STATUSES),
  /** Number of the published version, from 1; null for a draft. */
  version: z.int().nullable(),
  /** When the published version was published; null for a draft. */
  published_at: Timestamp.nullable(),
  created_at: Timestamp,
  /** The giving page of the published version. */
  page: FormPage,
});
export type Form = z.infer<typeof Form>;
