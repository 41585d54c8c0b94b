import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Capabilities of the pooler (for example PgBouncer) in front of the database. */
export interface PoolerCapabilities {
  /** Whether the role has a statement timeout. Behind a pooler the service itself cannot set a timeout. */
  hasStatementTimeout: boolean;
  /** Whether the pooler supports named prepared statements (PgBouncer 1.21 or later). */
  supportsPreparedStatements: boolean;
}

interface ConnectionOptions {
  /** Statement timeout of a direct connection in milliseconds; 0 means no limit. */
  statementTimeoutMs: number;
  /**
   * Timeout of the first statement in milliseconds. A pooler delays that statement while no server
   * connection is free.
   */
  connectTimeoutMs: number;
  /** Called once if a pooler is detected. */
  onPoolerDetected: (pooler: PoolerCapabilities) => void;
}

/**
 * Prepares each new connection of a pool: docs/decisions/0081-pgbouncer.md
 *
 * A direct connection has a session of its own, which gets a statement timeout. Behind a pooler in
 * transaction mode each transaction may run in a different session, which other clients use as well.
 * Behind a pooler no session setting is changed, and statements are named only if the pooler supports
 * prepared statements. A pooler is detected by the process number that it reports to the client, which
 * differs from the process number of the server.
 */
export function prepareConnections(options: ConnectionOptions) {
  const { statementTimeoutMs, connectTimeoutMs, onPoolerDetected } = options;
  let supportsPreparedStatements: Promise<boolean> | undefined;

  return async (client: pg.ClientBase): Promise<void> => {
    const { processID } = client as unknown as { processID: number };
    const { rows } = await client
      .query<{ direct: boolean; limit: string }>({
        text: `select pid = $1 as direct,
            case when pid = $1 then set_config('statement_timeout', $2, false)
              else current_setting('statement_timeout') end as limit
          from pg_backend_pid() as pid`,
        values: [processID, String(statementTimeoutMs)],
        query_timeout: connectTimeoutMs,
      } as pg.QueryConfig)
      .catch(toConnectTimeout);
    const [{ direct, limit }] = rows as [{ direct: boolean; limit: string }];
    if (direct) return;
    if (!supportsPreparedStatements) {
      supportsPreparedStatements = detectPreparedStatements(client);
      // If this connection breaks, the next connection detects again.
      supportsPreparedStatements.catch(() => (supportsPreparedStatements = undefined));
      onPoolerDetected({
        hasStatementTimeout: limit !== '0',
        supportsPreparedStatements: await supportsPreparedStatements,
      });
    }
    if (!(await supportsPreparedStatements)) stripStatementNames(client);
  };
}

/** Returns recommendations for the operator, without which the service works as well. */
export const poolerWarnings = ({
  hasStatementTimeout,
  supportsPreparedStatements,
}: PoolerCapabilities) => [
  ...(hasStatementTimeout
    ? []
    : [
        {
          problem:
            'The database is behind a connection pooler, and its role has no statement timeout.',
          fix: "Run once for the role of DATABASE_URL: alter role … set statement_timeout = '10s'",
        },
      ]),
  ...(supportsPreparedStatements
    ? []
    : [
        {
          problem:
            'The connection pooler does not support prepared statements, so every statement is planned again.',
          fix: 'Use PgBouncer 1.21 or later, with max_prepared_statements = 200.',
        },
      ]),
];

/** Converts a query timeout into the connect timeout of `pg`, which `error-handler.ts` recognizes. */
function toConnectTimeout(cause: Error): never {
  if (cause.message !== 'Query read timeout') throw cause;
  throw new Error('timeout exceeded when trying to connect', { cause });
}

/**
 * Returns true if the pooler supports named statements. Such a pooler renames statements at the server.
 * Any other pooler passes the name on unchanged, and the session of the transaction contains it.
 */
async function detectPreparedStatements(client: pg.ClientBase): Promise<boolean> {
  const name = `connect_${randomBytes(8).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rows } = await client.query('select from pg_prepared_statements where name = $1', [name]);
  const isPassedOn = rows.length > 0;
  if (isPassedOn) await client.query(`deallocate ${name}`);
  await client.query('commit');
  return !isPassedOn;
}

/** Removes statement names, so that a session does not need to have prepared the statement before. */
function stripStatementNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const queryWithoutName = (config: unknown, ...rest: unknown[]) =>
    query(isNamed(config) ? { ...config, name: undefined } : config, ...rest);
  client.query = queryWithoutName as typeof client.query;
}

const isNamed = (config: unknown): config is pg.QueryConfig =>
  typeof config === 'object' && config !== null && 'name' in config && !('submit' in config);
