import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO-8601 date-time such as 2026-01-31T00:00:00Z',
  email: 'an email address',
  url: 'a URL',
};

/**
 * Describes a validation issue for API clients, as the part of a message after the field name:
 * `must be a whole number.`
 *
 * It replaces zod's default messages ("Invalid input: expected number, received string"). Messages
 * that a schema sets itself have precedence.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required.';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[expectedType(issue)] ?? `of type ${issue.expected}`}.`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}.` : 'has an invalid format.';
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in UNITS) return 'must not be empty.';
      return describeLimit(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return describeLimit(issue.origin, 'at most', issue.maximum);
    default:
      return 'is not valid.';
  }
};

/**
 * One sentence for each problem of a configuration: `API_SECRET must have at least 32 characters.`
 *
 * @param subject the name in the sentence if the problem is not in a single field
 */
export const describeIssues = (error: z.ZodError, subject: string): string[] =>
  error.issues.map((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return `${issue.path.join('.') || subject} ${issue.message}`;
    }
    return `${[...issue.path, issue.keys[0]].join('.')} is not a known option.`;
  });

/** `int` for a schema of whole numbers, for which zod reports `number` if the value is no number. */
function expectedType({
  inst: schema,
  expected,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const { format } = (schema?._zod.def ?? {}) as { format?: string };
  return format === 'safeint' ? 'int' : expected;
}

/** What a length is counted in; absent for numbers. */
const UNITS: Readonly<Record<string, string>> = { array: 'item', string: 'character' };

function describeLimit(origin: string, bound: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  if (!unit) return `must be ${bound} ${limit}.`;
  return `must have ${bound} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}.`;
}
