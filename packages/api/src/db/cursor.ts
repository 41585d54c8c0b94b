import { createHash } from 'node:crypto';
import { invalidRequest, type ListQuery } from '@connect-embed/contract';
import { z } from 'zod';
import type { Seal } from '../seal.ts';
import type { Database } from './schema.ts';

/** The last row that a page showed. */
export interface Position {
  /** What the list is sorted by. Times are in milliseconds, exact as in the database. */
  key: number | string;
  id: string;
}

/** Where to read, and on whose behalf. */
export interface PageOf {
  table: keyof Database;
  organizationId: string;
  /** What else narrows the list, and its order; a cursor serves only the same. */
  filters?: Readonly<Record<string, string | boolean>>;
  query: ListQuery;
}

const SealedPosition = z.tuple([z.string(), z.union([z.int(), z.string()]), z.string()]);

/** Long values, as of a search, would make a cursor too long for an address. */
const MAX_BOUND_LENGTH = 100;
const shortened = (value: string | boolean) =>
  typeof value === 'string' && value.length > MAX_BOUND_LENGTH
    ? createHash('sha256').update(value).digest('base64url')
    : value;

/** What a cursor belongs to: it opens no other list, organization, filter or order. */
const bindingOf = ({ table, organizationId, filters, query }: PageOf) =>
  JSON.stringify([
    table,
    organizationId,
    query.updated_since ? Date.parse(query.updated_since) : null,
    ...Object.entries(filters ?? {})
      .sort()
      .flatMap(([name, value]) => [name, shortened(value)]),
  ]);

/** A cursor that goes on behind a row. */
export const sealCursor = (cursors: Seal, page: PageOf, { key, id }: Position) =>
  cursors.seal(JSON.stringify([bindingOf(page), key, id]));

/** @throws {ConnectError} `invalid_request` naming `cursor` */
export async function openCursor(cursors: Seal, page: PageOf, cursor: string): Promise<Position> {
  const read = await readCursor(cursors, cursor);
  if (read?.binding === bindingOf(page)) return read.position;
  throw invalidRequest(
    'cursor',
    'must be a next_cursor of this list, with the same filters and order.',
  );
}

/** Where a cursor points and what it belongs to, before anybody has checked that; undefined for no cursor. */
export async function readCursor(cursors: Seal, cursor: string) {
  const text = await cursors.open(cursor);
  if (text === undefined) return undefined;
  const [binding, key, id] = SealedPosition.parse(JSON.parse(text));
  return { binding, position: { key, id } satisfies Position };
}
