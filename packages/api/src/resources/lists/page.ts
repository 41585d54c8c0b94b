import type { List } from '@connect-embed/contract';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Encrypter } from '../../lib/encrypter.ts';
import { decodeCursor, encodeCursor, type PageRequest, type CursorPosition } from './cursor.ts';
import type { Database } from '../../db/schema.ts';

export type { PageRequest } from './cursor.ts';

/** The order of a list: by a column, and by `id` among rows with the same value. */
export interface PageOrder {
  /** A column that is never null. An index on (organization_id, column, id) must exist. */
  column: string;
  /** The type of the column; a time by default. */
  type?: 'time' | 'number' | 'text';
  isAscending?: boolean;
}

const NEWEST_FIRST: PageOrder = { column: 'created_at' };

/** A row with the value by which it is sorted. */
export interface SortedRow {
  id: string;
  sort_key: Date | number | string;
}

/**
 * Reads one page of a query, by default newest first: docs/decisions/0010-lists.md
 *
 * @param select the query from `forOrganization`, which must select `id` of the table
 * @throws {ConnectError} `invalid_request` with param `cursor`
 */
export async function readPage<
  Tables extends keyof Database,
  Row extends { id: string },
  Resource extends object,
>(
  cursorEncrypter: Encrypter,
  page: PageRequest,
  select: SelectQueryBuilder<Database, Tables, Row>,
  toResource: (row: Row) => Resource,
  order: PageOrder = NEWEST_FIRST,
): Promise<List<Resource>> {
  return await paginate<Row & SortedRow, Resource>(
    cursorEncrypter,
    page,
    async (after, count) => {
      const rows = pageConditions(page, order, after).reduce(
        (query, condition) => query.where(condition),
        select,
      );
      const sorted = await sortRows(rows, page.table, order).limit(count).execute();
      return sorted as (Row & SortedRow)[];
    },
    toResource,
  );
}

/**
 * Decrypts the cursor of a request, reads the rows of the page and encrypts the cursor of the next page.
 *
 * @param readRows reads the given number of rows after the position of the cursor. It is one more than the page
 *   has, which shows whether there is another page.
 * @throws {ConnectError} `invalid_request` with param `cursor`
 */
export async function paginate<Row extends SortedRow, Resource extends object>(
  cursorEncrypter: Encrypter,
  page: PageRequest,
  readRows: (after: CursorPosition | undefined, count: number) => Promise<Row[]>,
  toResource: (row: Row) => Resource,
): Promise<List<Resource>> {
  const { cursor, limit } = page.query;
  const after = cursor ? await decodeCursor(cursorEncrypter, page, cursor) : undefined;
  const rows = await readRows(after, limit + 1);
  const pageRows = rows.slice(0, limit);
  const last = rows.length > limit ? pageRows.at(-1) : undefined;
  return {
    data: pageRows.map(toResource),
    has_more: last !== undefined,
    next_cursor: last ? await encodeCursor(cursorEncrypter, page, positionOf(last)) : null,
  };
}

export const positionOf = ({ sort_key, id }: SortedRow): CursorPosition => ({
  key: sort_key instanceof Date ? sort_key.getTime() : sort_key,
  id,
});

/**
 * The conditions of a page: `updated_since`, and the position at which the page starts.
 *
 * The row comparison `(created_at, id) < (…)` lets PostgreSQL start inside the index. Written with OR,
 * it reads everything before the page: 228 ms instead of 0.04 ms at a million rows.
 */
export function pageConditions(
  { table, query }: Pick<PageRequest, 'table'> & { query: { updated_since?: string | undefined } },
  { column, type = 'time', isAscending }: PageOrder,
  after: CursorPosition | undefined,
): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  if (query.updated_since) {
    const since = new Date(query.updated_since);
    conditions.push(sql`${sql.ref(`${table}.created_at`)} >= ${since}`);
  }
  if (after) {
    const comparison = isAscending ? sql`>` : sql`<`;
    const key = type === 'time' && typeof after.key === 'number' ? new Date(after.key) : after.key;
    conditions.push(
      sql`(${sql.ref(`${table}.${column}`)}, ${sql.ref(`${table}.id`)}) ${comparison} (${key}, ${after.id})`,
    );
  }
  return conditions;
}

/** Sorts the rows of a query and selects the value by which they are sorted. */
export function sortRows<Tables extends keyof Database, Row>(
  select: SelectQueryBuilder<Database, Tables, Row>,
  table: keyof Database,
  { column, isAscending }: PageOrder,
) {
  const direction = isAscending ? 'asc' : 'desc';
  const key = sql.ref<SortedRow['sort_key']>(`${table}.${column}`);
  return select
    .select(key.as('sort_key'))
    .orderBy(key, direction)
    .orderBy(sql.ref(`${table}.id`), direction);
}
