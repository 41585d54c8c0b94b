import type { List, ListQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { maskResource } from '../../field-masking/mask-resource.ts';
import type { HttpDeps } from '../../http/env.ts';
import { findById } from '../../lib/id.ts';
import { conditionsOf, type FilterRules } from '../search/apply-filters.ts';
import type { Reader, SearchFilters } from '../search/search.ts';
import type { CursorPosition } from './cursor.ts';
import {
  filtersOf,
  orderOf,
  type FilterValues,
  type ListDefinition,
  type RequestQuery,
} from './list-definition.ts';
import {
  pageConditions,
  paginate,
  positionOf,
  sortRows,
  type PageOrder,
  type SortedRow,
} from './page.ts';

/**
 * Maximum number of matches of a search that are read from the search index and sorted. With more
 * matches, the list is read in its order until a page is full. In the order of time, matches are
 * spread evenly. In another order, for example by name, all matches may be at the end of the list,
 * so the limit is higher.
 */
const MAX_SORTED_MATCHES = { byTime: 2_000, byOtherColumn: 20_000 };

/** Number of rows that an export reads at once. They are a few hundred kilobytes. */
export const EXPORT_PAGE_SIZE = 1000;

/** The filters of a list. Some of them, which most lists have, also decide how it is read. */
type Query<Filters> = FilterValues<Filters> &
  Pick<ListQuery, 'updated_since'> & {
    [Name in 'livemode' | 'created_from' | 'created_to' | 'search']?: string | undefined;
  };

/** The rows to read: those after a position, in the order of the list. */
interface RowRange {
  after: CursorPosition | undefined;
  count: number;
}

/** Reads one list of the API in pages, newest first by default: docs/decisions/0010-lists.md */
export class ListReader<
  Filters extends object = object,
  Resource extends { id: string } = { id: string },
> {
  readonly #deps: Pick<HttpDeps, 'db' | 'cursorEncrypter' | 'readDatabase'>;
  readonly #list: ListDefinition<Filters, Resource>;
  readonly #maxSortedMatches: typeof MAX_SORTED_MATCHES;

  constructor(
    deps: Pick<HttpDeps, 'db' | 'cursorEncrypter' | 'readDatabase'>,
    list: ListDefinition<Filters, Resource>,
    maxSortedMatches = MAX_SORTED_MATCHES,
  ) {
    this.#deps = deps;
    this.#list = list;
    this.#maxSortedMatches = maxSortedMatches;
  }

  /**
   * Finds one resource as it is in the list, on the primary database.
   *
   * @throws {ConnectError} `not_found`
   */
  async find(organizationId: string, id: string): Promise<Resource> {
    const { table } = this.#list;
    const rows = this.#list.select(forOrganization(this.#deps.db, organizationId));
    const isFound = sql<boolean>`${sql.ref(`${table}.id`)} = ${id}`;
    return (await findById(table, id, rows.where(isFound))) as Resource;
  }

  /** @throws {ConnectError} `invalid_request` with param `cursor` */
  async readPage(organizationId: string, query: RequestQuery<Filters>): Promise<List<object>> {
    const { table, createdAtField } = this.#list;
    // A cursor contains the order only if it is not the default.
    const sort = query.sort === `-${createdAtField}` ? undefined : query.sort;
    const filters = { ...filtersOf(this.#list, query), ...(sort && { sort }) };
    return await paginate(
      this.#deps.cursorEncrypter,
      { table, organizationId, filters, query },
      (after, count) => this.#readRows(organizationId, query, { after, count }),
      ({ sort_key: _, ...resource }) => resource,
    );
  }

  /**
   * Reads all rows in the order of the list, page by page, for an export. The rows are masked for the
   * reader.
   */
  async *readAll<Resource>(
    { organizationId, masks }: Reader,
    query: Query<Filters>,
  ): AsyncGenerator<Resource[]> {
    const count = EXPORT_PAGE_SIZE;
    for (let after: CursorPosition | undefined; ;) {
      const rows = await this.#readRows(organizationId, query, { after, count });
      yield (masks?.size ? rows.map((row) => maskResource({ ...row }, masks)) : rows) as Resource[];
      if (rows.length < count) return;
      after = positionOf(rows.at(-1)!);
    }
  }

  async #readRows(
    organizationId: string,
    query: Query<Filters>,
    range: RowRange,
  ): Promise<SortedRow[]> {
    const list = this.#list;
    const db = this.#deps.readDatabase.forList(list.table, organizationId);
    const isByTime = orderOf(list, query.sort).column === 'created_at';
    const maxMatches = this.#maxSortedMatches[isByTime ? 'byTime' : 'byOtherColumn'];
    const ids = await findMatches(db, list, organizationId, query, range, maxMatches);
    const page = ids
      ? selectByIds(db, list, organizationId, query.sort, ids)
      : selectPage(db, list, organizationId, query, range);
    return await page.execute();
  }
}

/** Selects the rows of a page by the conditions of its filters and its position. */
export const selectPage = <Filters extends object>(
  db: Db,
  list: ListDefinition<Filters>,
  organizationId: string,
  query: Query<Filters>,
  { after, count }: RowRange,
) =>
  conditionsOfPage(list, organizationId, query, after).reduce(
    (rows, condition) => rows.where(condition),
    selectSorted(db, list, organizationId, query.sort).limit(count),
  );

const selectByIds = <Filters extends object>(
  db: Db,
  list: ListDefinition<Filters>,
  organizationId: string,
  sort: string | undefined,
  ids: readonly string[],
) =>
  selectSorted(db, list, organizationId, sort).where(
    sql<boolean>`${sql.ref(`${list.table}.id`)} = any(${ids})`,
  );

const selectSorted = <Filters extends object>(
  db: Db,
  list: ListDefinition<Filters>,
  organizationId: string,
  sort: string | undefined,
) => sortRows(list.select(forOrganization(db, organizationId)), list.table, orderOf(list, sort));

const conditionsOfPage = <Filters extends object>(
  list: ListDefinition<Filters>,
  organizationId: string,
  query: Query<Filters>,
  after: CursorPosition | undefined,
) => [
  ...(list.filters ? conditionsOf(list.filters, query) : []),
  ...defaultConditions(list, organizationId, query),
  ...pageConditions(
    { table: list.table, query },
    orderOf(list, query.sort),
    after ?? firstPosition(orderOf(list, query.sort), query),
  ),
];

/** A list with the filter `livemode` has the rows that count, unless the query asks for one kind. */
function defaultConditions<Filters extends object>(
  { table, filters }: ListDefinition<Filters>,
  organizationId: string,
  { livemode }: Query<Filters>,
) {
  const isMarked = filters && 'livemode' in filters && livemode === undefined;
  return isMarked ? [isCounted(table as 'donation', organizationId)] : [];
}

/** The lowest and the highest value of each type. */
const KEY_BOUNDS = {
  time: ['-infinity', 'infinity'],
  number: ['-9223372036854775808', '9223372036854775807'],
  text: ['', '\u{10ffff}\u{10ffff}'],
} as const;

/**
 * The position before the first row. With it, PostgreSQL reads the first page as any other: in the order of the list.
 *
 * A list in the order of time starts at the bound of its period. If it started at the end of the index,
 * PostgreSQL would read and discard every row between that end and the bound: 64 ms at a million rows.
 */
function firstPosition(
  { column, type = 'time', isAscending }: PageOrder,
  { created_from, created_to }: Query<object>,
): CursorPosition {
  const bound = isAscending ? created_from : created_to;
  const key = (column === 'created_at' && bound) || KEY_BOUNDS[type][isAscending ? 0 : 1];
  return { key, id: '' };
}

/**
 * Finds the rows of a page of a search: reads the matches from the search index and sorts them.
 *
 * The conditions of the page are evaluated in the selection of the matches, so that the search index is read once
 * and PostgreSQL never reads the list instead: it estimates a rare term as a share of all rows, and would read a
 * large table to its end for one match.
 *
 * @returns the ids of the rows; undefined if the query is not a search, or has more than `maxMatches`
 */
async function findMatches<Filters extends object>(
  db: Db,
  list: ListDefinition<Filters>,
  organizationId: string,
  query: Query<Filters>,
  { after, count }: RowRange,
  maxMatches: number,
): Promise<string[] | undefined> {
  const { search } = query;
  const filters = list.filters as Partial<FilterRules<SearchFilters>> | undefined;
  if (!filters?.search || search === undefined) return undefined;
  const { column, isAscending } = orderOf(list, query.sort);
  const direction = isAscending ? sql`asc` : sql`desc`;
  const isOnPage = sql.join(
    [
      sql`organization_id = ${organizationId}`,
      ...conditionsOfPage(list, organizationId, { ...query, search: undefined }, after),
    ],
    sql` and `,
  );
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with matching as materialized (
      select id, ${sql.ref(column)} as sort_key, ${isOnPage} as is_on_page
      from ${sql.table(list.table)} where ${filters.search(sql`${search}`)} limit ${maxMatches}::int + 1)
    select (select count(*)::int from matching) as count,
      array(select id from matching where is_on_page
        order by sort_key ${direction}, id ${direction} limit ${count}::int) as ids`.execute(db);
  const [found] = rows;
  return found && found.count <= maxMatches ? found.ids : undefined;
}
