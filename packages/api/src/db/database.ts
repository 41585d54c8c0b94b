import { Kysely, Migrator, PostgresAdapter, PostgresDialect, sql, type Migration } from 'kysely';
import pg from 'pg';
import { prepareConnections, type PoolerCapabilities } from './connection.ts';
import { withLock, liftTimeLimits, LOCKS } from './advisory-lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Database } from './schema.ts';

/** Connections of one process; PostgreSQL's default of 100 then carries six processes. */
const POOL_SIZE = 16;
/** A request that cannot get a connection in this time is better told so. */
const CONNECT_TIMEOUT_MS = 5_000;
/** No query of this service comes near it; a stuck one must not hold a connection for ever. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** The database, and the pool below it for the one library that speaks `pg` itself. */
export interface OpenDatabase {
  db: Kysely<Database>;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Told of a connection that broke while nobody used it. */
  onIdleError?: (error: Error) => void;
  /** Told once, when it turns out that the database is reached through a pooler. */
  onPoolerDetected?: (pooler: PoolerCapabilities) => void;
  /** False for migrations, which may rewrite a large table. */
  limitStatements?: boolean;
}

/** Opens a pool of connections. Nothing is connected until the first query. */
export function openDatabase(
  url: string,
  {
    onIdleError = () => {},
    onPoolerDetected = () => {},
    limitStatements = true,
  }: DatabaseOptions = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: typeParserOf },
    // Not a parameter of the connection's start: PgBouncer refuses those that it does not know.
    onConnect: prepareConnections({
      statementTimeoutMs: limitStatements ? STATEMENT_TIMEOUT_MS : 0,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onPoolerDetected,
    }) as (client: pg.ClientBase) => void,
  });
  pool.on('error', onIdleError);
  // A connection that is held between two queries has nobody else to tell, and the process would
  // end. Its holder is told by the next query.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new Dialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Without Kysely's own lock, which is one of the session: `migrate` has one of a transaction. */
class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** PostgreSQL's own number for the type `bigint`. */
const BIGINT = 20;

/** Amounts are `bigint` in the database and whole numbers here; pg alone would give text. */
const typeParserOf = ((type: number, format: 'text' = 'text'): unknown =>
  type === BIGINT
    ? readBigint
    : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;

function readBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number.`);
  return value;
}

/**
 * Brings the tables up to date. Several processes may start at once: one migrates, and the others
 * wait.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  await rejectNewerSchema(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => UNLIMITED_MIGRATIONS },
    // Branches add migrations at the same time, and a development database may have run the later one first.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await withLock(db, LOCKS.migrate, () =>
    migrator.migrateToLatest(),
  );
  const failed = results.find(({ status }) => status === 'Error');
  if (error) {
    const what = failed ? `The migration ${failed.migrationName} failed:` : 'Migrating failed:';
    throw new Error(what, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}

/** They may rewrite a large table, also where the role has a time limit for statements. */
const UNLIMITED_MIGRATIONS = Object.fromEntries(
  Object.entries(MIGRATIONS).map(([name, { up }]): [string, Migration] => [
    name,
    {
      up: async (tx) => {
        await liftTimeLimits(tx);
        await up(tx);
      },
    },
  ]),
);

/**
 * @throws {Error} when a later release has been here: its tables may mean what this program does not
 * know, and no migration runs backwards
 */
async function rejectNewerSchema(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return { rows: [] }; // Nothing has been here yet.
      throw new Error('Migrating failed:', { cause: error });
    });
  const known = Object.keys(MIGRATIONS).sort().at(-1) ?? '';
  const newest = rows[0]?.name ?? '';
  if (newest <= known) return;
  throw new Error(
    `The database is newer than this program: it is at ${newest}, and the program knows ${known} at the most. ` +
      'Migrations do not run backwards. Start the newer program, or restore a backup from before it.',
  );
}

/** SQLSTATE of PostgreSQL. */
const UNDEFINED_TABLE = '42P01';

export type Db = Kysely<Database>;
