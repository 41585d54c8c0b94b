import type { List } from '@connect-embed/contract';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Encrypter } from '../../lib/encrypter.ts';
import { decodeCursor, encodeCursor, type PageRequest, type CursorPosition } from './cursor.ts';
import type { Database } from '../../db/schema.ts';

export type { PageRequest } from './cursor.ts';

/** The order of a list: by a column with a time. The default is newest first. */
interface PageOrder {
  column: 'created_at' | 'starts_at';
  isAscending?: boolean;
}

const NEWEST_FIRST: PageOrder = { column: 'created_at' };

/**
 * Reads one page of a list, by default newest first: docs/decisions/0010-lists.md
 *
 * It is used for lists that are requested rarely. `list.ts` reads the lists that are requested
 * often.
 *
 * @param select the query from `forOrganization`, which must select `id` and `created_at` of the
 *   table
 * @throws {ConnectError} `invalid_request` with param `cursor`
 */
export async function readPage<
  Tables extends keyof Database,
  Row extends { id: string; created_at: Date; starts_at?: Date },
  Resource,
>(
  cursorEncrypter: Encrypter,
  page: PageRequest,
  select: SelectQueryBuilder<Database, Tables, Row>,
  toResource: (row: Row) => Resource,
  order: PageOrder = NEWEST_FIRST,
): Promise<List<Resource>> {
  const after = page.query.cursor && (await decodeCursor(cursorEncrypter, page, page.query.cursor));
  const rows = await keyset(select, page, order, after || undefined).execute();
  const pageRows = rows.slice(0, page.query.limit) as Row[];
  const last = rows.length > pageRows.length ? pageRows.at(-1) : undefined;
  return {
    data: pageRows.map(toResource),
    has_more: last !== undefined,
    next_cursor: last ? await encodeCursor(cursorEncrypter, page, positionOf(last, order)) : null,
  };
}

const positionOf = (
  row: { id: string; created_at: Date; starts_at?: Date },
  { column }: PageOrder,
): CursorPosition => ({ key: row[column]!.getTime(), id: row.id });

/**
 * Limits a query to one page and one more row, which shows whether there is another page.
 *
 * The row comparison `(created_at, id) < (…)` lets PostgreSQL start inside the index. Written with OR,
 * it reads everything before the page: 228 ms instead of 0.04 ms at a million rows.
 */
function keyset<Tables extends keyof Database, Row>(
  select: SelectQueryBuilder<Database, Tables, Row>,
  { table, query }: PageRequest,
  { column, isAscending }: PageOrder,
  after: CursorPosition | undefined,
) {
  const createdAt = sql.ref<Date>(`${table}.created_at`);
  const id = sql.ref<string>(`${table}.id`);
  const key = sql.ref<Date>(`${table}.${column}`);
  const direction = isAscending ? 'asc' : 'desc';
  let rows = select;
  if (query.updated_since) {
    rows = rows.where(sql<boolean>`${createdAt} >= ${new Date(query.updated_since)}`);
  }
  if (after) {
    const position = sql`(${new Date(after.key)}, ${after.id})`;
    rows = rows.where(sql<boolean>`(${key}, ${id}) ${isAscending ? sql`>` : sql`<`} ${position}`);
  }
  return rows
    .orderBy(key, direction)
    .orderBy(id, direction)
    .limit(query.limit + 1);
}
