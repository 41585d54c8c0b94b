import { z } from 'zod';

/** ISO-8601 date-time in UTC, to the millisecond. */
export const Timestamp = z.iso.datetime();
/** Address of a page to which browsers are sent. @param error message, such as `must be an https URL.` */
export const pageUrl = (protocol: RegExp, error: string) =>
  z
    .url({ protocol, error })
    .max(2000)
    .regex(/^[^\s\p{Cc}]*$/u, error); // Excludes NUL, which URL parsers accept.
/** Text, or null if unknown; the field is always present: docs/decisions/0002-specification-gaps.md */
export const Text = z.string().nullable();
/** Minor units of a currency, never negative. */
export const Cents = z.int().min(0);
/** ISO 4217 code in lower case, as at Stripe. */
export const Currency = z.string().regex(/^[a-z]{3}$/);
/**
 * Name of a person or household on one line. Control characters are rejected: nobody types them in
 * a name, and PostgreSQL cannot store a NUL.
 */
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters.');
