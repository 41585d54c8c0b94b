import { MAX_LIMIT, type ListQuery } from '@connect-embed/contract';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import {
  decodeCursor,
  readCursorUnchecked,
  encodeCursor,
  type PageRequest,
  type CursorPosition,
} from './cursor.ts';
import { forOrganization, type OrganizationScope } from '../../db/organization-scope.ts';
import type { Db, Database } from '../../db/schema.ts';
import { createCredentialLookup, type AuthResult } from '../../auth/credential-lookup.ts';
import { memoizeLatest } from './memoize-latest.ts';
import type { Prepare, ValueOf } from '../../db/prepared.ts';
import type { HttpDeps } from '../../http/env.ts';

/** Defines one list of the API: its table, resource, filters and sort columns. */
interface ListDefinition<Filters extends object> {
  table: keyof Database;
  /** Selects the fields of the resource, under their names in the response; `id` is required. */
  select(organization: OrganizationScope): SelectQueryBuilder<Database, never, { id: string }>;
  /** The resource's field with its time of creation. */
  createdAtField: 'created_at' | 'created';
  /** Sort columns besides the time of creation, by their name in the query parameter `sort`. */
  sorts?: Readonly<Record<string, SortColumn>>;
  /** The SQL condition of each filter. */
  filters?: { [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean> };
}

/** A sort column. An index on (organization_id, column, id) must exist. */
interface SortColumn {
  column: string;
  type: 'time' | 'number' | 'text';
  /** The resource's field with the same value. Without it, the cursor's value is loaded with a query. */
  field?: string;
}

/** The sort order of one request. */
interface Order extends SortColumn {
  isDescending: boolean;
}

/** Values of the filters in the query; each is optional. */
type FilterValues<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined } & {
  sort?: string | undefined;
};

type RequestQuery<Filters> = ListQuery & FilterValues<Filters>;

/** SQL parameters of every page statement, besides the values of its filters. */
interface PageValues {
  since: Date | string;
  after_key: Date | number | string;
  after_id: string;
  rows: number;
}

/** Reads pages of one list of the API. */
export interface ResourceList<Filters extends object> {
  /**
   * Reads one page.
   *
   * @param prefetched the page that `authenticateAndRead` has read for the same query; null if that page is empty
   * @returns the JSON text of the response
   * @throws {ConnectError} `invalid_request` with param `cursor`
   */
  (
    organizationId: string,
    query: RequestQuery<Filters>,
    prefetched?: string | null,
  ): Promise<string>;
  /**
   * Authenticates a token, counts the request in the rate limit and reads the page, all in one
   * statement. The page must not be sent before the scopes of the token and the cursor have been
   * checked.
   */
  authenticateAndRead(token: string, query: RequestQuery<Filters>): Promise<AuthResult | undefined>;
}

type ListDeps = Pick<HttpDeps, 'prepare' | 'cursorEncrypter' | 'readDatabase'>;

/**
 * Creates the reader of one list. It returns pages as JSON text, newest first by default:
 * docs/decisions/0010-lists.md
 *
 * PostgreSQL builds the JSON of each row, and each statement is prepared once. A statement with
 * filters is planned for each execution, because the best index depends on the values.
 */
export function createListReader<Filters extends object = object>(
  { prepare, cursorEncrypter, readDatabase }: ListDeps,
  definition: ListDefinition<Filters>,
): ResourceList<Filters> {
  const list = withSearchByIndex(definition);
  const reader: ListReader<Filters> = {
    list,
    cursorEncrypter,
    readDatabase,
    chooseSearch: createSearchChoice(prepare, list.table),
    ...createStatements(prepare, list),
  };
  return Object.assign(
    (organizationId: string, query: RequestQuery<Filters>, prefetched?: string | null) =>
      readPage(reader, organizationId, query, prefetched),
    {
      authenticateAndRead: (token: string, query: RequestQuery<Filters>) =>
        authenticateAndRead(reader, token, query),
    },
  );
}

/** A list with its prepared statements. */
interface ListReader<Filters extends object>
  extends ReturnType<typeof createStatements>, Omit<ListDeps, 'prepare'> {
  list: ListDefinition<Filters>;
  chooseSearch: ReturnType<typeof createSearchChoice>;
}

/** Prepares the statements of a list when a query of their shape is first executed. */
function createStatements<Filters extends object>(prepare: Prepare, list: ListDefinition<Filters>) {
  const prepareFor =
    ({ filterNames, sort }: Shape): Prepare =>
    (write) =>
      prepare(write, { reuseGenericPlan: filterNames.length === 0 && sort === undefined });
  return {
    pages: memoizeShape((shape) =>
      prepareFor(shape)<{ page: string | null }, PageValues & { organization_id: string }>(
        (value, db) =>
          sql`select ${pageExpression(list, shape, value('organization_id'), value, db)} as page`,
      ),
    ),
    credentialLookups: memoizeShape((shape) =>
      createCredentialLookup<PageValues>(prepareFor(shape), (value, db) =>
        pageExpression(list, shape, sql.ref('credential.organization_id'), value, db),
      ),
    ),
    keyLoaders: memoizeShape((shape) => createKeyLoader(prepare, list, shape)),
  };
}

async function readPage<Filters extends object>(
  { list, cursorEncrypter, readDatabase, chooseSearch, pages, keyLoaders }: ListReader<Filters>,
  organizationId: string,
  query: RequestQuery<Filters>,
  prefetched?: string | null,
): Promise<string> {
  const requested = parseFilters(list, query);
  const { sort } = requested.shape;
  const boundValues = { ...requested.values, ...(sort !== undefined && { sort }) };
  const { shape, values } = parseFilters(list, await chooseSearch(query));
  const page = { table: list.table, organizationId, filters: boundValues, query } as PageRequest;
  const after = query.cursor ? await decodeCursor(cursorEncrypter, page, query.cursor) : undefined;
  const order = resolveOrder(list, shape);
  if (prefetched === undefined) {
    const parameters = {
      organization_id: organizationId,
      ...pageParameters(query, order, after),
      ...values,
    };
    const statement = pages(shape);
    const rows = readDatabase.mayReadReplica(list.table)
      ? (await readDatabase.for(organizationId).executeQuery(statement.compile(parameters))).rows
      : await statement(parameters);
    prefetched = rows[0]?.page ?? null;
  }
  const { rows, last } = parsePage(prefetched, query.limit);
  if (!last) return `{"data":[${rows}],"has_more":false,"next_cursor":null}`;
  const position = { key: await keyLoaders(shape)(last), id: last['id'] as string };
  const cursor = await encodeCursor(cursorEncrypter, page, position);
  return `{"data":[${rows}],"has_more":true,"next_cursor":"${cursor}"}`;
}

async function authenticateAndRead<Filters extends object>(
  { list, cursorEncrypter, credentialLookups }: ListReader<Filters>,
  token: string,
  query: RequestQuery<Filters>,
): Promise<AuthResult | undefined> {
  const { shape, values } = parseFilters(list, query);
  const after = query.cursor ? await readCursorUnchecked(cursorEncrypter, query.cursor) : undefined;
  const order = resolveOrder(list, shape);
  // The cursor is validated later. The cursor of another list may have a value of another type.
  const isOfType = typeof after?.position.key === (order.type === 'text' ? 'string' : 'number');
  const parameters = pageParameters(query, order, isOfType ? after?.position : undefined);
  return await credentialLookups(shape)(token, { ...parameters, ...values });
}

/**
 * Maximum number of matches of a search that are read from the search index and sorted. With more
 * matches, the list is read in its order until a page is full. In the order of time, matches are
 * spread evenly. In another order, for example by name, all matches may be at the end of the list,
 * so the limit is higher.
 */
const MAX_SORTED_MATCHES_BY_TIME = 2_000;
const MAX_SORTED_MATCHES_BY_OTHER_COLUMN = 20_000;

/**
 * Adds the filter `search_few`, which reads the matches of a search from the search index.
 * `createSearchChoice` sets this filter.
 */
const withSearchByIndex = <Filters extends object>(
  list: ListDefinition<Filters>,
): ListDefinition<Filters> =>
  list.filters && 'search' in list.filters
    ? {
        ...list,
        filters: {
          ...list.filters,
          search_few: (value: RawBuilder<string>) =>
            sql<boolean>`${sql.ref(`${list.table}.id`)} = any(array(
              select matching.id from ${sql.table(list.table)} as matching
              where matching.search @@ fold_text(${value})::tsquery))`,
        },
      }
    : list;

/**
 * Chooses how to run a search by counting its matches up to a limit. PostgreSQL estimates a rare term
 * as a share of all rows, and would read a large table to its end for one match.
 */
function createSearchChoice(prepare: Prepare, table: keyof Database) {
  const count = prepare<{ matchCount: number }, { search: string; maxCounted: number }>(
    (value) => sql`
      select count(*)::int as "matchCount" from (
        select from ${sql.table(table)} as matching
        where matching.search @@ fold_text(${value('search')})::tsquery
        limit ${value('maxCounted')}) as counted`,
    { reuseGenericPlan: false },
  );
  return async <Query extends object>(query: Query): Promise<Query> => {
    const { search, sort, ...rest } = query as { search?: string; sort?: string };
    if (search === undefined) return query;
    const maxMatches =
      sort && !/^-?created(_at)?$/.test(sort)
        ? MAX_SORTED_MATCHES_BY_OTHER_COLUMN
        : MAX_SORTED_MATCHES_BY_TIME;
    const [row] = await count({ search, maxCounted: maxMatches + 1 });
    if ((row?.matchCount ?? 0) > maxMatches) return query;
    return { ...rest, ...(sort !== undefined && { sort }), search_few: search } as unknown as Query;
  };
}

/**
 * The parts of a query that determine the text of a list's SQL statement: the names of its filters,
 * and an order that is not the default.
 */
interface Shape {
  filterNames: readonly string[];
  sort: string | undefined;
}

/** Extracts the shape of a query and the values of its filters. */
function parseFilters<Filters extends object>(
  { filters = {} as never }: ListDefinition<Filters>,
  query: FilterValues<Filters>,
): { shape: Shape; values: object } {
  const filterNames = Object.keys(filters) as (keyof Filters & string)[];
  const usedNames = filterNames.filter((name) => query[name] !== undefined);
  const sort = query.sort && !/^-created(_at)?$/.test(query.sort) ? query.sort : undefined;
  return {
    shape: { filterNames: usedNames, sort },
    values: Object.fromEntries(usedNames.map((name) => [name, query[name]])),
  };
}

/**
 * Returns the order of a list: the time of creation, newest first, unless the query has another
 * order.
 */
function resolveOrder(
  { sorts = {}, createdAtField }: Pick<ListDefinition<object>, 'sorts' | 'createdAtField'>,
  shape: Shape,
) {
  const { sort = `-${createdAtField}` } = shape;
  const name = sort.replace(/^-/, '');
  const createdAtColumn: SortColumn = { column: 'created_at', type: 'time', field: createdAtField };
  const column = name === createdAtField ? createdAtColumn : sorts[name]!;
  return { ...column, isDescending: sort.startsWith('-') } satisfies Order;
}

/** Creates a function that returns a row's sort value, for the cursor of the page after it. */
function createKeyLoader(
  prepare: Prepare,
  list: Pick<ListDefinition<object>, 'table' | 'sorts' | 'createdAtField'>,
  shape: Shape,
) {
  const { column, type, field } = resolveOrder(list, shape);
  const { table } = list;
  const loadKey = prepare<{ key: string }, { id: string }>(
    (value) => sql`select ${sql.ref(column)} as key from ${sql.table(table)}
      where id = ${value('id')}`,
  );
  return async (row: Readonly<Record<string, unknown>>): Promise<number | string> => {
    if (!field) return (await loadKey({ id: row['id'] as string }))[0]?.key ?? '';
    return type === 'time' ? Date.parse(row[field] as string) : (row[field] as number);
  };
}

/**
 * Maximum number of cached statements. Filters and orders have tens of thousands of combinations,
 * so only the most recently used statements are cached.
 */
const MAX_CACHED_SHAPES = 200;

const memoizeShape = <Value>(create: (shape: Shape) => Value) =>
  memoizeLatest(
    create,
    ({ filterNames, sort }) => `${filterNames.join()} ${sort}`,
    MAX_CACHED_SHAPES,
  );

/**
 * Separator between two rows. PostgreSQL's JSON of a row contains no line break, because line
 * breaks in strings are escaped.
 */
const SEPARATOR = ',\n';

/** The lowest and the highest value of each type. The first page starts at one of them. */
const KEY_BOUNDS = {
  time: ['-infinity', 'infinity'],
  number: ['-9223372036854775808', '9223372036854775807'],
  text: ['', '\u{10ffff}\u{10ffff}'],
} as const;

/**
 * Returns the sort value where the first page starts.
 *
 * A list in the order of time starts at the bound of its period. If it started at the end of the index,
 * PostgreSQL would read and discard every row between that end and the bound: 64 ms at a million rows.
 */
function firstKey(query: ListQuery & PeriodFilters, { column, type, isDescending }: Order): string {
  const bound = isDescending ? query.created_to : query.created_from;
  return (column === 'created_at' && bound) || KEY_BOUNDS[type][isDescending ? 1 : 0];
}

/** Filters of some lists: from `created_from`, and before `created_to`. */
interface PeriodFilters {
  created_from?: string | undefined;
  created_to?: string | undefined;
}

function pageParameters(
  query: ListQuery & PeriodFilters,
  order: Order,
  after: CursorPosition | undefined,
): PageValues {
  const { type } = order;
  const start = firstKey(query, order);
  return {
    since: query.updated_since ? new Date(query.updated_since) : '-infinity',
    after_key: after ? (type === 'time' ? new Date(after.key) : after.key) : start,
    after_id: after?.id ?? '',
    rows: query.limit + 1, // The additional row shows whether there is another page.
  };
}

/**
 * SQL that returns the rows of a page as one text, separated by `SEPARATOR`; null for an empty page.
 *
 * The row comparison `(created_at, id) < (…)` lets PostgreSQL start inside the index. Written with OR,
 * it reads everything before the page: 228 ms instead of 0.04 ms at a million rows.
 *
 * The inner limit is the maximum as a constant: PostgreSQL then keeps the generic plan of the prepared
 * statement.
 */
function pageExpression<Filters extends object>(
  list: ListDefinition<Filters>,
  shape: Shape,
  organizationId: RawBuilder<string>,
  value: ValueOf<PageValues>,
  db: Db,
): RawBuilder<string | null> {
  const { table, select, filters } = list;
  const { column, isDescending } = resolveOrder(list, shape);
  const [time, key, id] = ['created_at', column, 'id'].map((name) => sql.ref(`${table}.${name}`));
  const [direction, comparison] = isDescending
    ? (['desc', sql.raw('<')] as const)
    : (['asc', sql.raw('>')] as const);
  const valueOf = value as unknown as ValueOf<Filters>;
  const filtered = (shape.filterNames as (keyof Filters & string)[]).reduce(
    (rows, name) => rows.where(filters![name](valueOf(name))),
    select(forOrganization(db, organizationId))
      .where(sql<boolean>`${time} >= ${value('since')}`)
      .where(
        sql<boolean>`(${key}, ${id}) ${comparison} (${value('after_key')}, ${value('after_id')})`,
      ),
  );
  return sql<string | null>`(
    select string_agg(row_to_json(resource)::text, ${SEPARATOR})
    from (select * from (${filtered
      .orderBy(sql`${key}`, direction)
      .orderBy(sql`${id}`, direction)
      .limit(sql.lit(MAX_LIMIT + 1))}) as page limit ${value('rows')}) as resource)`;
}

/** Splits the text of a page into the rows of the response and, if there is another page, the last row. */
function parsePage(text: string | null, limit: number) {
  const rows = text ?? '';
  const end = findPageEnd(rows, limit);
  if (end === undefined) return { rows };
  const data = rows.slice(0, end);
  const last = JSON.parse(data.slice(data.lastIndexOf(SEPARATOR) + 1)) as Record<string, unknown>;
  return { rows: data, last };
}

/** The position where the requested rows end; undefined if there is no further page. */
function findPageEnd(rows: string, limit: number): number | undefined {
  let end = -1;
  for (let row = 0; row < limit; row += 1) {
    end = rows.indexOf(SEPARATOR, end + 1);
    if (end === -1) return undefined;
  }
  return end;
}
