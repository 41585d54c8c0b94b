import type { ListQuery } from '@connect-embed/contract';
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { OrganizationScope } from '../../db/organization-scope.ts';
import type { Database } from '../../db/schema.ts';

/** Defines one list of the API: its table, resource, filters and sort columns. */
export interface ListDefinition<Filters extends object> {
  table: keyof Database;
  /** Largest page that is read; the API's limit by default. */
  maxRows?: number;
  /** Selects the fields of the resource, under their names in the response; `id` is required. */
  select(organization: OrganizationScope): SelectQueryBuilder<Database, never, { id: string }>;
  /** The resource's field with its time of creation. */
  createdAtField: 'created_at' | 'created';
  /** Sort columns besides the time of creation, by their name in the query parameter `sort`. */
  sorts?: Readonly<Record<string, SortColumn>>;
  /** The SQL condition of each filter. */
  filters?: { [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean> };
}

/** The table of a list and its sort columns. */
export type SortedTable = Pick<
  ListDefinition<object>,
  'table' | 'maxRows' | 'sorts' | 'createdAtField'
>;

/** A sort column. An index on (organization_id, column, id) must exist. */
export interface SortColumn {
  column: string;
  type: 'time' | 'number' | 'text';
  /** The resource's field with the same value. Without it, the cursor's value is loaded with a query. */
  field?: string;
}

/** The sort order of one request. */
export interface Order extends SortColumn {
  isDescending: boolean;
}

/** Values of the filters in the query; each is optional. */
export type FilterValues<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined } & {
  sort?: string | undefined;
};

export type RequestQuery<Filters> = ListQuery & FilterValues<Filters>;

/**
 * The parts of a query that determine the text of a list's SQL statement: the names of its filters,
 * and an order that is not the default.
 */
export interface Shape {
  filterNames: readonly string[];
  sort: string | undefined;
}

/** Extracts the shape of a query and the values of its filters. */
export function parseFilters<Filters extends object>(
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
export function resolveOrder(
  { sorts = {}, createdAtField }: Omit<SortedTable, 'table'>,
  shape: Shape,
) {
  const { sort = `-${createdAtField}` } = shape;
  const name = sort.replace(/^-/, '');
  const createdAtColumn: SortColumn = { column: 'created_at', type: 'time', field: createdAtField };
  const column = name === createdAtField ? createdAtColumn : sorts[name]!;
  return { ...column, isDescending: sort.startsWith('-') } satisfies Order;
}
