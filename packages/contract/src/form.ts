import { z } from 'zod';
import { DonationTerms, Frequency, type DonationTermsInput } from './donation-terms.ts';
import {
  CreatedAt,
  Id,
  MultilineText,
  Name,
  SingleLineText,
  Text,
  Timestamp,
  WholeNumber,
  kind,
} from './field-schemas.ts';

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
export const MAX_PAGE_STORY = 3000;
export const MAX_PICTURE_ALT = 200;

/** Limits of the owner's texts of a form, in characters. */
export const MAX_FORM_TEXTS = { heading: 100, intro: 500, button: 40, thank_you: 1000 } as const;
export const MAX_IMPACT_TEXT = 100;

const PageTexts = z.object({
  title: z.string().max(MAX_PAGE_TITLE).nullable().describe('Heading; null for the usual one.'),
  description: z
    .string()
    .max(MAX_PAGE_DESCRIPTION)
    .nullable()
    .describe('Text below the heading; null for none.'),
  // Older APIs do not send this field.
  story: z
    .string()
    .max(MAX_PAGE_STORY)
    .nullable()
    .default(null)
    .describe('A longer text, in paragraphs; web addresses in it are links. Null for none.'),
  is_indexable: z.boolean().describe('Whether search engines may show the page.'),
  is_listed: z.boolean().describe('Whether pages of closed forms refer to this form.'),
});

const PictureSize = z.object({
  width: z.int().positive().describe('Width in pixels.'),
  height: z.int().positive().describe('Height in pixels.'),
  alt: z
    .string()
    .max(MAX_PICTURE_ALT)
    .describe('What the picture shows, for people who cannot see it; empty if it only decorates.'),
});

/** How a form's own page on the server, `/give/{slug}`, is shown: docs/decisions/0100-giving-pages.md */
export const FormPage = PageTexts.extend({
  // Older APIs do not send this field.
  picture: PictureSize.extend({
    url: z.string().describe('URL of the picture, a public WebP image.'),
  })
    .nullable()
    .default(null)
    .describe('Picture above the heading; null for none.'),
});
export type FormPage = z.infer<typeof FormPage>;

/** The page in the settings of a form, which name the picture by the hash of its content. */
export const FormPageSettings = PageTexts.extend({
  picture: PictureSize.extend({ hash: z.string() }).nullable().default(null),
});
export type FormPageSettings = z.infer<typeof FormPageSettings>;

/** The page of a form whose settings do not mention it. */
export const DEFAULT_FORM_PAGE = {
  title: null,
  description: null,
  story: null,
  picture: null,
  is_indexable: false,
  is_listed: false,
} satisfies FormPage & FormPageSettings;

/**
 * How a page shows a form: in the page, or in a dialog that a button, a button that stays in view, or
 * only a link or script of the page opens.
 */
export const DISPLAY_MODES = ['inline', 'button', 'sticky', 'modal'] as const;

/** `page` follows the page's `color-scheme`, and `auto` also the page's background and the system. */
export const FORM_THEMES = ['page', 'light', 'dark', 'auto'] as const;

export const FORM_CORNERS = ['square', 'rounded', 'round'] as const;

/** `page` is the font of the page. The others are fonts of the donor's system: no font is loaded. */
export const FORM_FONTS = ['page', 'system', 'humanist', 'geometric', 'serif', 'mono'] as const;

/**
 * Text in the owner's words, shown in every language; null for the form's own text. Braces are
 * rejected, because the form would take them for a placeholder.
 */
const OwnText = (max: number) =>
  MultilineText.min(1)
    .max(max)
    .regex(/^[^{}]*$/, 'must not contain { or }.')
    .nullable()
    .default(null);

/** A color as `#rrggbb`; null for the form's own color. */
export const HexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'must be a color such as #0b6b5b.')
  .nullable()
  .default(null);

/** What an amount achieves, by the amount in minor units: `{ "2500": "a week of school lunches" }`. */
export const ImpactTexts = z.record(
  z.string().regex(/^\d{1,8}$/),
  SingleLineText.min(1).max(MAX_IMPACT_TEXT),
);
export type ImpactTexts = z.infer<typeof ImpactTexts>;

/** Texts of a form in the owner's words. */
export const FormTexts = z.object({
  /** Title of the form. */
  heading: OwnText(MAX_FORM_TEXTS.heading),
  /** Paragraph below the title. */
  intro: OwnText(MAX_FORM_TEXTS.intro),
  /** Label of the button that opens the form, and of the submit button without an amount. */
  button: OwnText(MAX_FORM_TEXTS.button),
  /** Paragraph of the thank-you page, below the confirmation. */
  thank_you: OwnText(MAX_FORM_TEXTS.thank_you),
});
export type FormTexts = z.infer<typeof FormTexts>;

/** Colors and shape of a form. */
export const FormAppearance = z.object({
  /** Color of buttons and selected options in the light theme. */
  accent_color: HexColor,
  /** The same in the dark theme; null derives it from `accent_color`. */
  accent_color_dark: HexColor,
  background_color: HexColor,
  background_color_dark: HexColor,
  /** Color of texts. Those of hints and lines are derived from it. */
  text_color: HexColor,
  text_color_dark: HexColor,
  corners: z.enum(FORM_CORNERS).default('rounded'),
  font: z.enum(FORM_FONTS).default('page'),
  theme: z.enum(FORM_THEMES).default('page'),
});
export type FormAppearance = z.infer<typeof FormAppearance>;

/**
 * The settings of a form that its owner edits and publishes as a version. Every field except `terms`
 * has a default, so that stored versions from before the field remain valid.
 */
export const FormSettings = z.object({
  /** The donations that the form accepts. */
  terms: DonationTerms,
  /** Texts of the amounts in `terms.preset_amounts_cents`. */
  impact_texts: ImpactTexts.default({}),
  /** Texts of the amounts in `terms.preset_amounts_by_frequency`. */
  impact_texts_by_frequency: z.partialRecord(Frequency, ImpactTexts).default({}),
  /**
   * Amounts that a member has entered for frequencies that the form does not offer. Only the editor
   * shows them. Absent if there are none.
   */
  unused_amounts_by_frequency: z.partialRecord(Frequency, z.array(z.int())).optional(),
  texts: FormTexts.prefault({}),
  display: z.enum(DISPLAY_MODES).default('inline'),
  appearance: FormAppearance.prefault({}),
  /** Absent in settings that do not mention the giving page, which then is `DEFAULT_FORM_PAGE`. */
  page: FormPageSettings.optional(),
});
export type FormSettings = z.infer<typeof FormSettings>;

/** Settings in a request: fields that are absent get their defaults. */
export type FormSettingsInput = Omit<z.input<typeof FormSettings>, 'terms'> & {
  terms: DonationTermsInput;
};

/** A donation form that is edited in the dashboard: docs/decisions/0097-forms.md */
export const Form = z.object({
  id: Id,
  object: kind('form'),
  slug: z.string().describe('Name by which a page selects the form.'),
  name: Name,
  status: z
    .enum(FORM_STATUSES)
    .describe('`draft`: never published. `live`: accepts donations. `closed`: accepts none.'),
  version: WholeNumber.describe('Number of the published version; null for a draft.'),
  published_at: Timestamp.nullable().describe(
    'When the published version was published; null for a draft.',
  ),
  // Older APIs do not send this field.
  campaign_id: Text.optional().describe('Campaign of the published version; null without one.'),
  // Older APIs do not send this field.
  livemode: z
    .boolean()
    .optional()
    .describe('False while the organization uses test keys, so that nobody is charged.'),
  created_at: CreatedAt,
  page: FormPage.describe('The form’s own page on the server, as published.'),
});
export type Form = z.infer<typeof Form>;
