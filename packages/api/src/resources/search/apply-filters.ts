import { sql, type RawBuilder } from 'kysely';

/** The SQL condition that each filter adds to a query. */
export type FilterRules<Filters extends object> = {
  [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean>;
};

/** A query with a `where` method. */
interface Filterable<Query> {
  where(condition: RawBuilder<boolean>): Query;
}

/** Adds to a query the conditions of the filters that have a value. */
export function applyFilters<Query extends Filterable<Query>, Filters extends object>(
  rows: Query,
  rules: FilterRules<Filters>,
  values: { [Name in keyof Filters]?: Filters[Name] | undefined },
): Query {
  let filtered = rows;
  for (const name of Object.keys(rules) as (keyof Filters)[]) {
    const value = values[name];
    if (value !== undefined) filtered = filtered.where(rules[name](sql`${value}`));
  }
  return filtered;
}
