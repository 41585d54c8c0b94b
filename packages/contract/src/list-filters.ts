import { z } from 'zod';
import { SingleLineText } from './field-schemas.ts';

/** Explains why a text is no date-time. In the query of a URL, the `+` of an offset means a space. */
const dateTimeError = ({ input }: { input?: unknown }) =>
  typeof input === 'string' && /T.+ \d\d:?\d\d$/.test(input)
    ? 'contains a space where a + belongs. Write the + as %2B in a URL.'
    : 'must be an ISO-8601 date-time such as 2026-01-31T00:00:00Z.';
/** Excludes the year 0 and offsets of 16 hours or more, which PostgreSQL rejects. */
export const DateTimeFilter = z.iso
  .datetime({ offset: true, error: dateTimeError })
  .refine((text) => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text), { error: dateTimeError })
  .optional();
export const CreatedFrom = DateTimeFilter.describe('Only resources created at this time or later.');
export const CreatedTo = DateTimeFilter.describe('Only resources created before this time.');

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).optional();

export const LivemodeFilter = oneOf(['true', 'false']).describe(
  '`true`: only what is live; `false`: only tests. Without it, tests are included as long as the organization has never been live.',
);

export const sortOrder = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  oneOf(values).describe(
    'Sort order; a hyphen means descending. A `cursor` is valid for one sort order only.',
  );

export const IdFilter = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'must be an id.')
  .optional();

/** Stripe's name of a payment method type or a card brand. */
export const StripeName = z
  .string()
  .regex(/^[a-z0-9_]{1,50}$/, 'must be a name, such as card or visa.')
  .optional();

/** Largest amount in a filter, in minor units. */
const MAX_AMOUNT_CENTS = 99_999_999_999;

/** A bound of an amount. Query parameters are strings, so a pattern validates the number. */
export const AmountFilter = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,10})$/, 'must be a whole number of minor units.')
  .optional()
  .meta({ type: 'integer', minimum: 0, maximum: MAX_AMOUNT_CENTS });

/** A bound of an amount that may be negative, such as that of a payout. */
export const SignedAmountFilter = z
  .string()
  .regex(/^(?:0|-?[1-9]\d{0,10})$/, 'must be a whole number of minor units.')
  .optional()
  .meta({ type: 'integer', minimum: -MAX_AMOUNT_CENTS, maximum: MAX_AMOUNT_CENTS });

/** Maximum length of a time zone name, twice that of the longest known name. */
const MAX_TIME_ZONE_LENGTH = 64;
const TIME_ZONE_ERROR = 'must be an IANA time zone, such as America/New_York.';

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const TimeZone = z
  .string()
  .max(MAX_TIME_ZONE_LENGTH, TIME_ZONE_ERROR)
  .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/, TIME_ZONE_ERROR)
  .refine(isTimeZone, TIME_ZONE_ERROR)
  .optional()
  .describe('IANA time zone of intervals and times; by default that of the organization.');

/** Longest search text, in characters. */
export const MAX_SEARCH_LENGTH = 100;

/** docs/decisions/0045-filters-search-and-sums.md */
export const SearchText = SingleLineText.min(1, 'must not be empty.')
  .max(MAX_SEARCH_LENGTH, `must be at most ${MAX_SEARCH_LENGTH} characters.`)
  .optional()
  .describe(
    'Search: each word must be the beginning of a word of the resource, ignoring case and accents. References, ids and email addresses can be searched, too.',
  );
