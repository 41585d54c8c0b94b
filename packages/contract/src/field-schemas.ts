import { z } from 'zod';

/** ISO-8601 date-time in UTC, to the millisecond. */
export const Timestamp = z.iso.datetime();
/** Text that may be unknown; always present: docs/decisions/0006-nullability.md */
export const Text = z.string().nullable();
/** Whole minor units of a currency, never negative. */
export const Cents = z.int().min(0);
/** ISO 4217 in lower case, as the processor writes it. */
export const Currency = z.string().regex(/^[a-z]{3}$/);
/**
 * Name of a person or household, as typed on one line. Control characters are refused: no keyboard
 * types them, and PostgreSQL cannot keep a NUL.
 */
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters.');
