import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Pool } from 'pg';
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
) => (values: Values) => Promise<Row[]>;

export const createPrepare =
  ({ db, pool }: { db: Db; pool: Pool }): Prepare =>
  <Row, Values extends object>(write: (value: ValueOf<Values>, db: Db) => RawBuilder<Row>) => {
    const placeholder: ValueOf<Values> = (name) => sql`${new Parameter(name)}`;
    const { sql: text, parameters } = write(placeholder, db).compile(db);
    // The name is a hash of the text, so that a connection never has another text under the same name.
    const name = createHash('sha256').update(text).digest('base64url');
    return async (values) => {
      const bound = parameters.map((parameter) =>
        parameter instanceof Parameter
          ? (values as Record<string, unknown>)[parameter.name]
          : parameter,
      );
      return (await pool.query({ name, text, values: bound })).rows as Row[];
    };
  };
