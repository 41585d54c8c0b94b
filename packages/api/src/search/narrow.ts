import { sql, type RawBuilder } from 'kysely';

/** The condition that each filter adds to a query. */
export type NarrowingRules<Filters extends object> = {
  [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean>;
};

/** A query with a `where` method. */
interface Narrowable<Query> {
  where(condition: RawBuilder<boolean>): Query;
}

/** Adds the condition of each filter that is given. */
export function narrow<Query extends Narrowable<Query>, Filters extends object>(
  rows: Query,
  rules: NarrowingRules<Filters>,
  given: { [Name in keyof Filters]?: Filters[Name] | undefined },
): Query {
  let narrowed = rows;
  for (const name of Object.keys(rules) as (keyof Filters)[]) {
    const value = given[name];
    if (value !== undefined) narrowed = narrowed.where(rules[name](sql`${value}`));
  }
  return narrowed;
}
