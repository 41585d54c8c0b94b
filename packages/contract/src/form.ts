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

/** The settings of a form that its owner edits and publishes as a version. */
export const FormSettings = z.object({
  /** The donations that the form accepts. */
  terms: DonationTerms,
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
});
export type Form = z.infer<typeof Form>;
