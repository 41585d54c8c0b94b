import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

/**
 * SQL comment at the end of a statement whose best plan is the same for all values. Other reads are planned for
 * the values of each execution.
 */
export const SAME_PLAN = sql.raw('/* same plan for all values */');

/** Matches statements that write rows, and reads that end with SAME_PLAN. */
const HAS_SAME_PLAN =
  /^\s*(?:insert|update|delete|with "\w+" as \((?:insert|update|delete))\b|same plan for all values \*\/$/;

/**
 * Matches statements that return all columns of a table. PostgreSQL rejects a prepared one after a migration has
 * added a column.
 */
const RETURNS_ALL_COLUMNS = /\b(?:returning|select) (?:\S+\.)?\*/;

/** Executions of a statement before it is named. Most statements are too rare to be kept by each connection. */
const MIN_EXECUTIONS = 10;
/** Maximum number of statements that are counted, because some texts depend on the number of rows. */
const MAX_COUNTED = 500;

/** The name of each statement that is counted, and its executions in this process, by its text. */
const counted = new Map<string, { name: string; executions: number }>();

/**
 * A connection that names statements that repeat and have the same plan for all values, so that it parses and plans
 * each of them once: docs/decisions/0113-named-statements.md
 */
export class NamingClient extends pg.Client {
  /** False until the connection is known to keep prepared statements. */
  namesStatements = false;
}

const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };

// Assigned, because `query` has too many signatures to override it.
NamingClient.prototype.query = function (this: NamingClient, ...args: unknown[]): unknown {
  const [text, values, ...rest] = args;
  const canBeNamed = this.namesStatements && typeof text === 'string' && Array.isArray(values);
  const name = canBeNamed ? countExecution(text) : undefined;
  return name ? query.call(this, { name, text, values }, ...rest) : query.apply(this, args);
} as typeof pg.Client.prototype.query;

/** Returns the name of a statement that has repeated; undefined for others. */
function countExecution(text: string): string | undefined {
  const statement = counted.get(text);
  if (statement) {
    statement.executions += 1;
    return statement.executions > MIN_EXECUTIONS ? statement.name : undefined;
  }
  if (counted.size < MAX_COUNTED && HAS_SAME_PLAN.test(text) && !RETURNS_ALL_COLUMNS.test(text))
    counted.set(text, { name: statementName(text), executions: 1 });
  return undefined;
}

/** The name is a hash of the text, so that a connection never has another text under the same name. */
export const statementName = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');
