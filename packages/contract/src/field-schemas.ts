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
/** Minor units of a currency, never negative. */
export const Cents = z.int().min(0);
/** ISO 4217 code in lower case, as at Stripe. */
export const Currency = z.string().regex(/^[a-z]{3}$/);
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
