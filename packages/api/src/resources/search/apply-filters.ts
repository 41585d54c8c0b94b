import { sql, type RawBuilder } from 'kysely';

/** The SQL condition that each filter adds to a query. */
export type FilterRules<Filters extends object> = {
  [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean>;
};

type Values<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined };

/** A query with a `where` method. */
interface Filterable<Query> {
  where(condition: RawBuilder<boolean>): Query;
}

export const conditionsOf = <Filters extends object>(
  rules: FilterRules<Filters>,
  values: Values<Filters>,
): RawBuilder<boolean>[] =>
  (Object.keys(rules) as (keyof Filters)[])
    .filter((name) => values[name] !== undefined)
    .map((name) => rules[name](sql`${values[name]}`));

/** Adds to a query the conditions of the filters that have a value. */
export const applyFilters = <Query extends Filterable<Query>, Filters extends object>(
  rows: Query,
  rules: FilterRules<Filters>,
  values: Values<Filters>,
): Query => conditionsOf(rules, values).reduce((query, condition) => query.where(condition), rows);
