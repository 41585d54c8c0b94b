import { FormSlug, invalidRequest } from '@connect-embed/contract';
import { isUniqueViolation } from '../../db/constraint-errors.ts';

const MAX_SLUG_LENGTH = 60;

/**
 * Derives a URL slug from a name: `Build the Kitchen!` becomes `build-the-kitchen`.
 *
 * Latin letters lose their accents. A name in another script gives an empty slug, for which the
 * caller uses the id of the resource.
 */
export const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');

/** Returns whether a text is a valid slug: lower-case words separated by hyphens. */
export const isSlug = (text: string): boolean => FormSlug.safeParse(text).success;

/**
 * Throws the error of a statement that sets a slug.
 *
 * @throws {ConnectError} `invalid_request` naming `slug` if another row has it; otherwise `cause`
 */
export function throwSlugConflict(table: 'campaign' | 'form', cause: unknown): never {
  throw isUniqueViolation(cause) ? invalidRequest('slug', `is taken by another ${table}.`) : cause;
}
