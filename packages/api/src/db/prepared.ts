import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import type { Pool } from 'pg';
import { statementName } from './named-statements.ts';
import type { Db } from './schema.ts';

/** Placeholder in a prepared query for a value that each execution supplies. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Inserts the placeholder of a value into a query, for example `value('organization_id')`. */
export type ValueOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** How a query is executed. */
interface PrepareOptions {
  /**
   * False plans the query anew for the values of each execution. Use it if the best index depends on
   * the values: a generic plan cannot use a partial index whose condition is a parameter.
   */
  reuseGenericPlan?: boolean;
}

/**
 * Compiles a query once for many executions: Kysely builds the text of the query once, and each
 * connection parses and plans the query once.
 *
 * Use it for queries that every request runs; elsewhere plain Kysely is simpler. Two pitfalls: list the
 * columns, because PostgreSQL rejects a prepared `*` after a migration has added a column; and use the
 * database's time, because a `new Date()` would be fixed when the query is compiled.
 */
export type Prepare = <Row, Values extends object>(
  write: (value: ValueOf<Values>, db: Db) => RawBuilder<Row>,
  options?: PrepareOptions,
) => PreparedQuery<Row, Values>;

export interface PreparedQuery<Row, Values extends object> {
  /** Executes the query. */
  (values: Values): Promise<Row[]>;
  /** Returns the query with its values, to be executed elsewhere without preparation. */
  compile(values: Values): CompiledQuery<Row>;
}

export const createPrepare =
  ({ db, pool }: { db: Db; pool: Pool }): Prepare =>
  <Row, Values extends object>(
    write: (value: ValueOf<Values>, db: Db) => RawBuilder<Row>,
    { reuseGenericPlan = true }: PrepareOptions = {},
  ) => {
    const placeholder: ValueOf<Values> = (name) => sql`${new Parameter(name)}`;
    const { sql: text, parameters } = write(placeholder, db).compile(db);
    const name = reuseGenericPlan ? statementName(text) : undefined;
    const bind = (values: Values) =>
      parameters.map((parameter) =>
        parameter instanceof Parameter
          ? (values as Record<string, unknown>)[parameter.name]
          : parameter,
      );
    const execute = async (values: Values) =>
      (await pool.query({ ...(name && { name }), text, values: bind(values) })).rows as Row[];
    return Object.assign(execute, {
      compile: (values: Values) => CompiledQuery.raw(text, bind(values)) as CompiledQuery<Row>,
    });
  };
