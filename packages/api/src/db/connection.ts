import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** What has to be known of a database that is reached through a pooler. */
export interface PooledConnection {
  /** Whether the role has a time limit for statements, which nothing here can set behind a pooler. */
  limitsStatements: boolean;
  /** Whether the pooler knows named prepared statements (PgBouncer from 1.21 on). */
  keepsNames: boolean;
}

export interface ConnectionOptions {
  /** Milliseconds that a statement may take on a direct connection; 0 has no limit. */
  statementTimeoutMs: number;
  /** Milliseconds that the first statement may take: a pooler without a free server lets it wait. */
  connectTimeoutMs: number;
  /** Told once, when it turns out that there is a pooler. */
  onPooled: (found: PooledConnection) => void;
}

/**
 * Prepares each new connection of a pool: docs/decisions/0081-behind-a-pooler.md
 *
 * A direct connection is a session of ours and gets a time limit. Behind a pooler in transaction
 * mode every transaction may run in another session, which others use as well: no setting of a
 * session is touched there, and statements have names only where the pooler knows them. A pooler
 * shows itself by the process number that it gave the client, which is not the server's.
 */
export function prepareConnections(options: ConnectionOptions) {
  const { statementTimeoutMs, connectTimeoutMs, onPooled } = options;
  let keepsNames: Promise<boolean> | undefined;

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
      .catch(asConnectError);
    const [{ direct, limit }] = rows as [{ direct: boolean; limit: string }];
    if (direct) return;
    if (!keepsNames) {
      keepsNames = findsNames(client);
      // The next connection tries again where the first one broke.
      keepsNames.catch(() => (keepsNames = undefined));
      onPooled({ limitsStatements: limit !== '0', keepsNames: await keepsNames });
    }
    if (!(await keepsNames)) leaveOutNames(client);
  };
}

/** What an operator could do better; nothing of it keeps the service from working. */
export const remarksOn = ({ limitsStatements, keepsNames }: PooledConnection) => [
  ...(limitsStatements
    ? []
    : [
        {
          what: 'The database is reached through a pooler, and its role has no time limit for statements.',
          todo: "Run once, for the role of DATABASE_URL: alter role … set statement_timeout = '10s'",
        },
      ]),
  ...(keepsNames
    ? []
    : [
        {
          what: 'The pooler does not know prepared statements: each statement is planned anew.',
          todo: 'Use PgBouncer 1.21 or later, with max_prepared_statements = 200.',
        },
      ]),
];

/** `pg` says the same where the connection itself took too long: `failure.ts` knows this message. */
function asConnectError(cause: Error): never {
  if (cause.message !== 'Query read timeout') throw cause;
  throw new Error('timeout exceeded when trying to connect', { cause });
}

/**
 * Whether a pooler knows named statements: then it gives them names of its own at the server. The
 * transaction holds one session, in which a name that was passed on as it is would be found.
 */
async function findsNames(client: pg.ClientBase): Promise<boolean> {
  const name = `connect_${randomBytes(8).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rows } = await client.query('select from pg_prepared_statements where name = $1', [name]);
  const isPassedOn = rows.length > 0;
  if (isPassedOn) await client.query(`deallocate ${name}`);
  await client.query('commit');
  return !isPassedOn;
}

/** Lets PostgreSQL parse each statement anew: a session of others does not have what was prepared before. */
function leaveOutNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const nameless = (config: unknown, ...rest: unknown[]) =>
    query(isNamed(config) ? { ...config, name: undefined } : config, ...rest);
  client.query = nameless as typeof client.query;
}

const isNamed = (config: unknown): config is pg.QueryConfig =>
  typeof config === 'object' && config !== null && 'name' in config && !('submit' in config);
