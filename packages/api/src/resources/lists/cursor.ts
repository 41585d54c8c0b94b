import { createHash } from 'node:crypto';
import { invalidRequest, type ListQuery } from '@connect-embed/contract';
import { z } from 'zod';
import type { Encrypter } from '../../lib/encrypter.ts';
import type { Database } from '../../db/schema.ts';

/** The position of the last row of a page (keyset pagination). */
export interface CursorPosition {
  /** The row's value of the sort column. Times are milliseconds, with the precision of the database. */
  key: number | string;
  id: string;
}

/** The list that a request reads, and the organization that it reads for. */
export interface PageRequest {
  table: keyof Database;
  organizationId: string;
  /** Filters and order of the list. A cursor is valid only with the same ones. */
  filters?: Readonly<Record<string, string | boolean>>;
  query: ListQuery;
}

const CursorPayload = z.tuple([z.string(), z.union([z.int(), z.string()]), z.string()]);

/**
 * Maximum length of a filter value in a cursor. A longer value, for example a search text, is
 * hashed, because a cursor is part of a URL.
 */
const MAX_FILTER_LENGTH = 100;
const hashIfLong = (value: string | boolean) =>
  typeof value === 'string' && value.length > MAX_FILTER_LENGTH
    ? createHash('sha256').update(value).digest('base64url')
    : value;

/** Describes the list, organization, filters and order for which a cursor is valid, as text. */
const cursorBinding = ({ table, organizationId, filters, query }: PageRequest) =>
  JSON.stringify([
    table,
    organizationId,
    query.updated_since ? Date.parse(query.updated_since) : null,
    ...Object.entries(filters ?? {})
      .sort()
      .flatMap(([name, value]) => [name, hashIfLong(value)]),
  ]);

/** Encrypts the cursor of the page that starts after the given position. */
export const encodeCursor = (
  cursorEncrypter: Encrypter,
  page: PageRequest,
  { key, id }: CursorPosition,
) => cursorEncrypter.encrypt(JSON.stringify([cursorBinding(page), key, id]));

/**
 * Decrypts a cursor and checks that it belongs to this list.
 *
 * @throws {ConnectError} `invalid_request` with param `cursor`
 */
export async function decodeCursor(
  cursorEncrypter: Encrypter,
  page: PageRequest,
  cursor: string,
): Promise<CursorPosition> {
  const decrypted = await readCursorUnchecked(cursorEncrypter, cursor);
  if (decrypted?.binding === cursorBinding(page)) return decrypted.position;
  throw invalidRequest(
    'cursor',
    'must be a next_cursor of this list, with the same filters and order.',
  );
}

/**
 * Decrypts a cursor without checking which list it belongs to.
 *
 * @returns undefined if this is not a cursor of ours
 */
export async function readCursorUnchecked(cursorEncrypter: Encrypter, cursor: string) {
  const text = await cursorEncrypter.decrypt(cursor);
  if (text === undefined) return undefined;
  const [binding, key, id] = CursorPayload.parse(JSON.parse(text));
  return { binding, position: { key, id } satisfies CursorPosition };
}
