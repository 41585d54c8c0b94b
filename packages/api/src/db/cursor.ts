import { createHash } from 'node:crypto';
import { invalidRequest, type ListQuery } from '@connect-embed/contract';
import { z } from 'zod';
import type { Encrypter } from '../encrypter.ts';
import type { Database } from './schema.ts';

/** The last row that a page showed. */
export interface CursorPosition {
  /** What the list is sorted by. Times are in milliseconds, exact as in the database. */
  key: number | string;
  id: string;
}

/** Where to read, and on whose behalf. */
export interface PageRequest {
  table: keyof Database;
  organizationId: string;
  /** What else narrows the list, and its order; a cursor serves only the same. */
  filters?: Readonly<Record<string, string | boolean>>;
  query: ListQuery;
}

const CursorPayload = z.tuple([z.string(), z.union([z.int(), z.string()]), z.string()]);

/** Long values, as of a search, would make a cursor too long for an address. */
const MAX_BOUND_LENGTH = 100;
const hashIfLong = (value: string | boolean) =>
  typeof value === 'string' && value.length > MAX_BOUND_LENGTH
    ? createHash('sha256').update(value).digest('base64url')
    : value;

/** What a cursor belongs to: it opens no other list, organization, filter or order. */
const cursorBinding = ({ table, organizationId, filters, query }: PageRequest) =>
  JSON.stringify([
    table,
    organizationId,
    query.updated_since ? Date.parse(query.updated_since) : null,
    ...Object.entries(filters ?? {})
      .sort()
      .flatMap(([name, value]) => [name, hashIfLong(value)]),
  ]);

/** A cursor that goes on behind a row. */
export const encodeCursor = (cursors: Encrypter, page: PageRequest, { key, id }: CursorPosition) =>
  cursors.encrypt(JSON.stringify([cursorBinding(page), key, id]));

/** @throws {ConnectError} `invalid_request` naming `cursor` */
export async function decodeCursor(
  cursors: Encrypter,
  page: PageRequest,
  cursor: string,
): Promise<CursorPosition> {
  const read = await readCursorUnchecked(cursors, cursor);
  if (read?.binding === cursorBinding(page)) return read.position;
  throw invalidRequest(
    'cursor',
    'must be a next_cursor of this list, with the same filters and order.',
  );
}

/** Where a cursor points and what it belongs to, before anybody has checked that; undefined for no cursor. */
export async function readCursorUnchecked(cursors: Encrypter, cursor: string) {
  const text = await cursors.decrypt(cursor);
  if (text === undefined) return undefined;
  const [binding, key, id] = CursorPayload.parse(JSON.parse(text));
  return { binding, position: { key, id } satisfies CursorPosition };
}
