import { z } from 'zod';
import { DateTimeFilter } from './list-filters.ts';

/** Resources per page (spec: Common list query parameters). */
export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** One page of a list, newest first (spec: Common envelopes). */
export interface List<Resource> {
  data: Resource[];
  /** True when another page exists. */
  has_more: boolean;
  /** The client sends it as `cursor`; null on the last page: docs/decisions/0002-specification-gaps.md */
  next_cursor: string | null;
}

/** The schema of a list of resources. */
export const listOf = <Schema extends z.ZodType>(resource: Schema) =>
  z.object({
    data: z.array(resource).describe('The resources of this page.'),
    has_more: z.boolean().describe('True if there is another page.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` to get the next page; null on the last page.'),
  });

/**
 * The query of every list (spec: Common list query parameters).
 *
 * The query contains text, so the rule is a pattern: `1e2`, `+5` and `٥` are not limits.
 */
export const ListQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${MAX_LIMIT}.`)
    .transform(Number)
    .default(DEFAULT_LIMIT)
    // The OpenAPI document describes the transformed value.
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      description: 'Number of resources on a page.',
    }),
  cursor: z
    .string()
    .min(1, 'must be a next_cursor of this list.')
    .max(2000)
    .optional()
    .describe('The `next_cursor` of the previous page, with the same filters.'),
  // Despite its name, it does not compare update times.
  updated_since: DateTimeFilter.describe('Only resources created at this time or later.'),
});
export type ListQuery = z.infer<typeof ListQuery>;
