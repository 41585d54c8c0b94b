import { hash } from 'node:crypto';
import { invalidRequest, type ListQuery } from '@connect-embed/contract';
import { z } from 'zod';
import { JWE_PREFIX, type Encrypter } from '../../lib/encrypter.ts';
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
  filters?: Readonly<Record<string, string | boolean | readonly string[]>>;
  query: ListQuery;
}

const CursorPayload = z.tuple([z.string(), z.union([z.int(), z.string()]), z.string()]);

/**
 * Describes the list, organization, filters and order for which a cursor is valid. It is a hash of 96
 * bits, because a cursor is part of URLs, and a search text may be long.
 */
function cursorBinding({ table, organizationId, filters = {}, query }: PageRequest): string {
  const since = query.updated_since ? Date.parse(query.updated_since) : null;
  const binding = [table, organizationId, since, Object.entries(filters).sort()];
  return hash('sha256', JSON.stringify(binding), 'base64url').slice(0, 16);
}

/**
 * Encrypts the cursor of the page that starts after the given position.
 *
 * The cursor omits the constant beginning of the encrypted text: it is in every page of a list, and does
 * not compress.
 */
export async function encodeCursor(
  cursorEncrypter: Encrypter,
  page: PageRequest,
  { key, id }: CursorPosition,
): Promise<string> {
  const text = await cursorEncrypter.encrypt(JSON.stringify([cursorBinding(page), key, id]));
  return text.slice(JWE_PREFIX.length);
}

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
  const text = await cursorEncrypter.decrypt(JWE_PREFIX + cursor);
  if (text !== undefined) {
    const [binding, key, id] = CursorPayload.parse(JSON.parse(text));
    if (binding === cursorBinding(page)) return { key, id };
  }
  throw invalidRequest(
    'cursor',
    'must be a next_cursor of this list, with the same filters and order.',
  );
}
