import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import { prepareConnections, type PoolerCapabilities } from './connection.ts';
import type { Database } from './schema.ts';

/** Maximum number of connections of one process. PostgreSQL's default limit of 100 allows six processes. */
const POOL_SIZE = 16;
/** Maximum time that a request waits for a connection before it fails with 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The same for a replica: soon afterwards the primary is read in its place. */
const REPLICA_CONNECT_TIMEOUT_MS = 500;
/**
 * Timeout of a statement, far above the duration of any query of this service, so that a stuck query
 * releases its connection.
 */
const STATEMENT_TIMEOUT_MS = 10_000;

/** The query builder, and its connection pool for code that uses `pg` directly. */
export interface OpenDatabase {
  db: Kysely<Database>;
  pool: pg.Pool;
  /** The database of DATABASE_REPLICA_URL. */
  replica?: Kysely<Database>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Called when an idle connection breaks. */
  onIdleError?: (error: Error) => void;
  /** Called once if a pooler is detected. */
  onPoolerDetected?: (pooler: PoolerCapabilities) => void;
  /** False for migrations, which may rewrite a large table. */
  limitStatements?: boolean;
  /** Maximum time of opening a connection, or of waiting for one, in milliseconds. */
  connectTimeoutMs?: number;
}

/** Options for the server of DATABASE_REPLICA_URL. */
export const REPLICA_OPTIONS: DatabaseOptions = { connectTimeoutMs: REPLICA_CONNECT_TIMEOUT_MS };

/** Opens a connection pool. The first query opens the first connection. */
export function openDatabase(
  url: string,
  {
    onIdleError = () => {},
    onPoolerDetected = () => {},
    limitStatements = true,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
  }: DatabaseOptions = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: typeParserOf },
    // The timeout is not a startup parameter, because PgBouncer rejects unknown parameters.
    onConnect: prepareConnections({
      statementTimeoutMs: limitStatements ? STATEMENT_TIMEOUT_MS : 0,
      connectTimeoutMs,
      onPoolerDetected,
    }) as unknown as (client: pg.ClientBase) => void,
  });
  pool.on('error', onIdleError);
  // Without a listener, an error of a connection between two queries would end the process. The
  // next query on this connection fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new Dialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * Kysely's dialect without the migration lock, because that lock belongs to a session. `migrate` uses a
 * lock of a transaction instead.
 */
class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** OID of the type `bigint`. */
const BIGINT = 20;

/** Parses `bigint` amounts as numbers; `pg` returns them as strings. */
const typeParserOf = ((type: number, format: 'text' = 'text'): unknown =>
  type === BIGINT
    ? readBigint
    : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;

function readBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number.`);
  return value;
}
