import { invalidRequest, type List, type ListQuery } from '@connect-embed/contract';
import { sql, type SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import type { Seal } from '../seal.ts';
import type { Database } from './schema.ts';

/** The resources that are listed, and the tables that they are in. */
type ListedTable =
  | 'donation'
  | 'donor'
  | 'payout'
  | 'event'
  | 'registration'
  | 'campaign'
  | 'fund'
  | 'webhook_delivery';

/** The last row that a page showed. Times are exact to the millisecond, as in the database. */
interface Position {
  createdAtMs: number;
  id: string;
}

/** Where to read, and on whose behalf. */
export interface PageOf {
  table: ListedTable;
  organizationId: string;
  /** What else narrows `select`; a cursor serves only the same. */
  filters?: Readonly<Record<string, string | boolean>>;
  query: ListQuery;
}

const SealedPosition = z.tuple([z.string(), z.int(), z.string()]);

/**
 * Reads one page of a list, newest first: docs/decisions/0010-cursors.md
 *
 * @param select the columns; must have `id` and `created_at` of the table
 * @throws {ConnectError} `invalid_request` naming `cursor`
 */
export async function readPage<
  Tables extends keyof Database,
  Row extends { id: string; created_at: Date },
  Resource,
>(
  cursors: Seal,
  page: PageOf,
  select: SelectQueryBuilder<Database, Tables, Row>,
  toResource: (row: Row) => Resource,
): Promise<List<Resource>> {
  const after = page.query.cursor && (await openCursor(cursors, page, page.query.cursor));
  const rows = await keyset(select, page, after || undefined).execute();
  const shown = rows.slice(0, page.query.limit) as Row[];
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    data: shown.map(toResource),
    has_more: last !== undefined,
    next_cursor: last ? await sealCursor(cursors, page, last) : null,
  };
}

/**
 * Narrows to one page and one row more, which tells whether there is another page.
 *
 * The row value `(created_at, id) < (…)` lets PostgreSQL start inside the index; the same written
 * with OR reads everything before the page: 228 ms instead of 0.04 at a million rows.
 */
function keyset<Tables extends keyof Database, Row>(
  select: SelectQueryBuilder<Database, Tables, Row>,
  { table, organizationId, query }: PageOf,
  after: Position | undefined,
) {
  const createdAt = sql.ref<Date>(`${table}.created_at`);
  const id = sql.ref<string>(`${table}.id`);
  let rows = select.where(sql<boolean>`${sql.ref(`${table}.organization_id`)} = ${organizationId}`);
  if (query.updated_since) {
    rows = rows.where(sql<boolean>`${createdAt} >= ${new Date(query.updated_since)}`);
  }
  if (after) {
    const position = sql`(${new Date(after.createdAtMs)}, ${after.id})`;
    rows = rows.where(sql<boolean>`(${createdAt}, ${id}) < ${position}`);
  }
  return rows
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(query.limit + 1);
}

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
export const sealCursor = (cursors: Seal, page: PageOf, row: { id: string; created_at: Date }) =>
  cursors.seal(JSON.stringify([bindingOf(page), row.created_at.getTime(), row.id]));

async function openCursor(cursors: Seal, page: PageOf, cursor: string): Promise<Position> {
  const text = await cursors.open(cursor);
  if (text !== undefined) {
    const [binding, createdAtMs, id] = SealedPosition.parse(JSON.parse(text));
    if (binding === bindingOf(page)) return { createdAtMs, id };
  }
  throw invalidRequest('cursor', 'must be a next_cursor of this list, with the same filters.');
}
