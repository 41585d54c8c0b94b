import type { ListQuery } from '@connect-embed/contract';
import { sql } from 'kysely';
import { maskResource } from '../../field-masking/mask-resource.ts';
import {
  decodeCursor,
  readCursorUnchecked,
  encodeCursor,
  type CursorPosition,
  type PageRequest,
} from './cursor.ts';
import { createCredentialLookup, type AuthResult } from '../../auth/credential-lookup.ts';
import {
  parseFilters,
  resolveOrder,
  type FilterValues,
  type ListDefinition,
  type RequestQuery,
  type Shape,
  type SortedTable,
} from './list-definition.ts';
import { memoizeLatest } from './memoize-latest.ts';
import {
  pageExpression,
  pageParameters,
  searchQuery,
  SEPARATOR,
  type PageValues,
  type SearchedPage,
  type SearchValues,
} from './page-statement.ts';
import type { Prepare, PreparedQuery } from '../../db/prepared.ts';
import type { HttpDeps } from '../../http/env.ts';
import type { Reader } from '../search/search.ts';

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
  /**
   * Reads all rows in the order of the list, page by page, for an export. The rows are masked for the
   * reader.
   */
  readAll<Resource>(
    reader: Reader,
    query: FilterValues<Filters> & Pick<ListQuery, 'updated_since'>,
  ): AsyncGenerator<Resource[]>;
}

type ListDeps = Pick<HttpDeps, 'prepare' | 'cursorEncrypter' | 'readDatabase'>;

/**
 * Maximum number of matches of a search that are read from the search index and sorted. With more
 * matches, the list is read in its order until a page is full. In the order of time, matches are
 * spread evenly. In another order, for example by name, all matches may be at the end of the list,
 * so the limit is higher.
 */
const MAX_SORTED_MATCHES = { byTime: 2_000, byOtherColumn: 20_000 };

/**
 * Creates the reader of one list. It returns pages as JSON text, newest first by default:
 * docs/decisions/0010-lists.md
 *
 * PostgreSQL builds the JSON of each row, and each statement is prepared once. A statement with
 * filters is planned for each execution, because the best index depends on the values.
 */
export function createListReader<Filters extends object = object>(
  { prepare, cursorEncrypter, readDatabase }: ListDeps,
  list: ListDefinition<Filters>,
  maxSortedMatches = MAX_SORTED_MATCHES,
): ResourceList<Filters> {
  const statements = createStatements(prepare, list);
  const reader = { list, maxSortedMatches, cursorEncrypter, readDatabase, ...statements };
  const exportedList = { ...list, maxRows: EXPORT_PAGE_SIZE };
  const exporter = { ...reader, list: exportedList, ...createStatements(prepare, exportedList) };
  return Object.assign(
    (organizationId: string, query: RequestQuery<Filters>, prefetched?: string | null) =>
      readPage(reader, organizationId, query, prefetched),
    {
      authenticateAndRead: (token: string, query: RequestQuery<Filters>) =>
        authenticateAndRead(reader, token, query),
      readAll: <Resource>(
        { organizationId, masks }: Reader,
        query: FilterValues<Filters> & Pick<ListQuery, 'updated_since'>,
      ) => readAllPages<Filters, Resource>(exporter, organizationId, query, masks),
    },
  );
}

/** A list with its prepared statements. */
interface ListReader<Filters extends object>
  extends ReturnType<typeof createStatements>, Omit<ListDeps, 'prepare'> {
  list: ListDefinition<Filters>;
  maxSortedMatches: typeof MAX_SORTED_MATCHES;
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
    searches: memoizeShape((shape) =>
      prepareFor(shape)<SearchedPage, SearchValues>((value, db) =>
        searchQuery(list, shape, value, db),
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
  reader: ListReader<Filters>,
  organizationId: string,
  query: RequestQuery<Filters>,
  prefetched?: string | null,
): Promise<string> {
  const { list, cursorEncrypter } = reader;
  const { shape, values } = parseFilters(list, query);
  const filters = { ...values, ...(shape.sort !== undefined && { sort: shape.sort }) };
  const page = { table: list.table, organizationId, filters, query } as PageRequest;
  const after = query.cursor ? await decodeCursor(cursorEncrypter, page, query.cursor) : undefined;
  const order = resolveOrder(list, shape);
  if (prefetched === undefined) {
    const parameters = { ...pageParameters(query, order, after), ...values };
    prefetched = await loadPage(reader, shape, { organization_id: organizationId, ...parameters });
  }
  const { rows, last } = parsePage(prefetched, query.limit);
  if (!last) return `{"data":[${rows}],"has_more":false,"next_cursor":null}`;
  const cursor = await encodeCursor(cursorEncrypter, page, await positionOf(reader, shape, last));
  return `{"data":[${rows}],"has_more":true,"next_cursor":"${cursor}"}`;
}

/** Loads the text of a page. The values are those of `SearchValues` if the query is a search. */
async function loadPage<Filters extends object>(
  { list, maxSortedMatches, readDatabase, pages, searches }: ListReader<Filters>,
  shape: Shape,
  values: PageValues & { organization_id: string },
): Promise<string | null> {
  const execute = async <Row, Values extends object>(
    statement: PreparedQuery<Row, Values>,
    parameters: Values,
  ): Promise<Row | undefined> => {
    if (!readDatabase.mayReadReplica(list.table)) return (await statement(parameters))[0];
    const database = readDatabase.for(values.organization_id);
    return (await database.executeQuery(statement.compile(parameters))).rows[0];
  };
  if (shape.filterNames.includes('search')) {
    const isByTime = resolveOrder(list, shape).column === 'created_at';
    const max_matches = isByTime ? maxSortedMatches.byTime : maxSortedMatches.byOtherColumn;
    const found = await execute(searches(shape), { ...values, max_matches } as SearchValues);
    if (found && found.match_count <= max_matches) return found.page;
  }
  return (await execute(pages(shape), values))?.page ?? null;
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

/** Number of rows that an export reads at once. They are a few hundred kilobytes. */
export const EXPORT_PAGE_SIZE = 1000;

async function* readAllPages<Filters extends object, Resource>(
  reader: ListReader<Filters>,
  organizationId: string,
  filters: FilterValues<Filters> & Pick<ListQuery, 'updated_since'>,
  masks: Reader['masks'],
): AsyncGenerator<Resource[]> {
  const query = { ...filters, limit: EXPORT_PAGE_SIZE } as RequestQuery<Filters>;
  const { shape, values } = parseFilters(reader.list, query);
  const order = resolveOrder(reader.list, shape);
  for (let after: CursorPosition | undefined; ;) {
    const parameters = { ...pageParameters(query, order, after), ...values };
    const page = await loadPage(reader, shape, { organization_id: organizationId, ...parameters });
    const { rows, last } = parsePage(page, query.limit);
    const resources = JSON.parse(`[${rows}]`) as Record<string, unknown>[];
    yield (
      masks?.size ? resources.map((row) => maskResource(row, masks)) : resources
    ) as Resource[];
    if (!last) return;
    after = await positionOf(reader, shape, last);
    // The file would begin again. An error closes the connection, and browsers report an incomplete file.
    if (after.key === '') throw new Error('The last row of a page was deleted during the export.');
  }
}

/** The position of a row, after which the next page starts. */
const positionOf = async <Filters extends object>(
  { keyLoaders }: ListReader<Filters>,
  shape: Shape,
  row: Readonly<Record<string, unknown>>,
): Promise<CursorPosition> => ({ key: await keyLoaders(shape)(row), id: row['id'] as string });

/** Creates a function that returns a row's sort value, for the cursor of the page after it. */
function createKeyLoader(prepare: Prepare, list: SortedTable, shape: Shape) {
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
