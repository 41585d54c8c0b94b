import type { ListQuery } from '@connect-embed/contract';
import type { SelectQueryBuilder } from 'kysely';
import type { OrganizationScope } from '../../db/organization-scope.ts';
import type { Database } from '../../db/schema.ts';
import type { FilterRules } from '../search/apply-filters.ts';
import type { PageOrder } from './page.ts';

/** Defines one list of the API: its table, resource, filters and sort columns. */
export interface ListDefinition<
  Filters extends object,
  Resource extends { id: string } = { id: string },
> {
  table: keyof Database;
  /** Selects the fields of the resource, under their names in the response; `id` is required. */
  select(organization: OrganizationScope): SelectQueryBuilder<Database, never, Resource>;
  /** The resource's field with its time of creation, which is also its name in the query parameter `sort`. */
  createdAtField: 'created_at' | 'created';
  /** Sort columns besides the time of creation, by their name in the query parameter `sort`. */
  sorts?: Readonly<Record<string, Omit<PageOrder, 'isAscending'>>>;
  /** The SQL condition of each filter. */
  filters?: FilterRules<Filters>;
}

/** Values of the filters in the query; each is optional. */
export type FilterValues<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined } & {
  sort?: string | undefined;
};

export type RequestQuery<Filters> = ListQuery & FilterValues<Filters>;

/** Returns the order of a list: the time of creation, newest first, unless the query has another order. */
export function orderOf(
  { createdAtField, sorts = {} }: Pick<ListDefinition<object>, 'createdAtField' | 'sorts'>,
  sort = `-${createdAtField}`,
): PageOrder {
  const name = sort.replace(/^-/, '');
  const column = name === createdAtField ? { column: 'created_at' } : sorts[name]!;
  return { ...column, isAscending: !sort.startsWith('-') };
}

/** Returns the filters of a query that have a value, by name. */
export function filtersOf<Filters extends object>(
  { filters }: ListDefinition<Filters>,
  query: FilterValues<Filters>,
): Partial<Filters> {
  const names = Object.keys(filters ?? {}) as (keyof Filters)[];
  return Object.fromEntries(
    names.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
  ) as Partial<Filters>;
}
