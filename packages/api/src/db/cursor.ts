import { invalidRequest, type ListQuery } from '@connect-embed/contract';
import { z } from 'zod';
import type { Seal } from '../seal.ts';
import type { Database } from './schema.ts';

/** The last row that a page showed. Times are exact to the millisecond, as in the database. */
export interface Position {
  createdAtMs: number;
  id: string;
}

/** Where to read, and on whose behalf. */
export interface PageOf {
  table: keyof Database;
  organizationId: string;
  /** What else narrows the list; a cursor serves only the same. */
  filters?: Readonly<Record<string, string | boolean>>;
  query: ListQuery;
}

const SealedPosition = z.tuple([z.string(), z.int(), z.string()]);

/** What a cursor belongs to: it opens no other list, organization or filter. */
const bindingOf = ({ table, organizationId, filters, query }: PageOf) =>
  JSON.stringify([
    table,
    organizationId,
    query.updated_since ? Date.parse(query.updated_since) : null,
    ...Object.entries(filters ?? {})
      .sort()
      .flat(),
  ]);

/** A cursor that goes on behind a row. */
export const sealCursor = (cursors: Seal, page: PageOf, { createdAtMs, id }: Position) =>
  cursors.seal(JSON.stringify([bindingOf(page), createdAtMs, id]));

/** @throws {ConnectError} `invalid_request` naming `cursor` */
export async function openCursor(cursors: Seal, page: PageOf, cursor: string): Promise<Position> {
  const read = await readCursor(cursors, cursor);
  if (read?.binding === bindingOf(page)) return read.position;
  throw invalidRequest('cursor', 'must be a next_cursor of this list, with the same filters.');
}

/** Where a cursor points and what it belongs to, before anybody has checked that; undefined for no cursor. */
export async function readCursor(cursors: Seal, cursor: string) {
  const text = await cursors.open(cursor);
  if (text === undefined) return undefined;
  const [binding, createdAtMs, id] = SealedPosition.parse(JSON.parse(text));
  return { binding, position: { createdAtMs, id } satisfies Position };
}
