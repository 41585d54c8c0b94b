import { z } from 'zod';
import { EMAIL_ADDRESS, normalizeEmail } from './email-address.ts';
import { trimToVisible } from './visible-text.ts';

/** ISO-8601 date-time in UTC, to the millisecond. */
export const Timestamp = z.iso.datetime();
/** Address of a page to which browsers are sent. @param error message, such as `must be an https URL.` */
export const pageUrl = (protocol: RegExp, error: string) =>
  z
    .url({ protocol, error })
    .max(2000)
    .regex(/^[^\s\x00-\x1f\x7f-\x9f]*$/, error); // Excludes NUL, which URL parsers accept.
/** Text, or null if unknown; the field is always present: docs/decisions/0002-specification-gaps.md */
export const Text = z.string().nullable();
/** A whole number, or null if unknown. */
export const WholeNumber = z.int().nullable();
/** Minor units of a currency, never negative. */
export const Cents = z.int().min(0);
/**
 * Text on one line. Control characters are rejected: nobody types them, and PostgreSQL cannot store a NUL.
 *
 * The OpenAPI document repeats the patterns of this file, so they are written without `\p{Cc}`, which
 * Python's `re` cannot compile.
 */
export const SingleLineText = z
  .string()
  .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, 'must not contain control characters.');
/** Text with line breaks and tabs, but without other control characters. */
export const MultilineText = z
  .string()
  .regex(/^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$/, 'must not contain control characters.');
/** Name of a person or household, with a visible character. */
export const PersonName = SingleLineText.overwrite(trimToVisible).min(1).max(200);
/** An email address, normalized. */
export const EmailAddress = z.preprocess(
  (text) => (typeof text === 'string' ? normalizeEmail(text) : text),
  z.email({ pattern: EMAIL_ADDRESS }).max(254),
);

// Fields that mean the same in several resources.
export const Id = z.string().describe('Unique id.');
export const kind = <const Kind extends string>(name: Kind) =>
  z.literal(name).describe('The kind of resource.');
export const OrganizationId = z.string().describe('Id of the organization.');
export const FundId = Text.describe('Id of the fund; null for none.');
export const CampaignId = Text.describe('Id of the campaign; null for none.');
export const Name = z.string().describe('Name for people.');
export const Slug = z.string().describe('Name in URLs.');
export const Description = Text.describe('Description for people.');
/** As at Stripe. */
export const Currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .describe('ISO 4217 code in lower case.');
export const GoalCents = WholeNumber.describe('Goal, in minor units; null for none.');
export const Capacity = WholeNumber.describe('Number of seats; null if it is unlimited.');
export const Livemode = z.boolean().describe('False for a test, in which no money moves.');
export const CreatedAt = Timestamp.describe('Time of creation.');
export const PublishableKey = z
  .string()
  .describe('Publishable key of the payment processor, for its browser script.');
export const ExpiresAt = Timestamp.describe('End of the session, one hour after its creation.');

/** Describes the fields of a request as the same fields of the resource. */
export const describedAs = <Fields extends Record<string, z.ZodType>>(
  { shape }: { shape: Record<string, { description?: string | undefined }> },
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const description = shape[name]?.description;
      return [name, description === undefined ? schema : schema.describe(description)];
    }),
  ) as Fields;
