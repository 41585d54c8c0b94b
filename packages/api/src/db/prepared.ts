import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from './database.ts';

/** Stands in a query for what each execution brings. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Puts the place of a value into a query: `value('organization_id')`. */
export type ValueOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** How a query is executed. */
export interface PrepareOptions {
  /**
   * False: it is planned for the values of each execution. For where their number decides how to
   * read: a plan for any value uses no index that holds the rows of some.
   */
  keepPlan?: boolean;
}

/**
 * Writes a query once, for as often as it is executed: Kysely makes its text here, and each
 * connection parses and plans it once.
 *
 * For what every request asks; elsewhere plain Kysely is simpler. Two traps: name the columns, for
 * PostgreSQL refuses a prepared `*` after a migration has added one; and take the time from the
 * database, for a `new Date()` would be the moment of writing.
 */
export type Prepare = <Row, Values extends object>(
  write: (value: ValueOf<Values>, db: Db) => RawBuilder<Row>,
  options?: PrepareOptions,
) => (values: Values) => Promise<Row[]>;

export const createPrepare =
  ({ db, pool }: { db: Db; pool: Pool }): Prepare =>
  <Row, Values extends object>(
    write: (value: ValueOf<Values>, db: Db) => RawBuilder<Row>,
    { keepPlan = true }: PrepareOptions = {},
  ) => {
    const placeholder: ValueOf<Values> = (name) => sql`${new Parameter(name)}`;
    const { sql: text, parameters } = write(placeholder, db).compile(db);
    // One text, one name: a connection never meets another text under it.
    const name = keepPlan ? createHash('sha256').update(text).digest('base64url') : undefined;
    return async (values) => {
      const parameterValues = parameters.map((parameter) =>
        parameter instanceof Parameter
          ? (values as Record<string, unknown>)[parameter.name]
          : parameter,
      );
      return (await pool.query({ ...(name && { name }), text, values: parameterValues }))
        .rows as Row[];
    };
  };
