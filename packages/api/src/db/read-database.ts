import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import { forOrganization } from './organization-scope.ts';
import type { Database, Db } from './schema.ts';

/** Tables of lists whose changes are in `resource_change`. Only these lists are read from a replica. */
const LOGGED_TABLES: readonly (keyof Database)[] = ['donation', 'donor', 'payout'];

/** For how long the replica is not asked after it has failed. */
const PAUSE_MS = 10_000;

/** SQLSTATE of a query that a replica cancels because it would delay the replication. */
const RECOVERY_CONFLICT = '40001';

interface ReadDatabaseOptions {
  primary: Db;
  /** The database of DATABASE_REPLICA_URL; undefined if that is not set. */
  replica: Db | undefined;
  /** Called for each query that the replica or, in its place, the primary has answered. */
  onRead: (database: 'primary' | 'replica') => void;
  /** Called when the replica has failed. The primary answers the queries of the next PAUSE_MS. */
  onReplicaError: (error: unknown) => void;
}

/**
 * Runs the queries of lists, sums and exports on a streaming replica: docs/decisions/0111-read-replica.md
 *
 * A query never sees an older state than an earlier read or write of its organization. The replica is used if it has
 * the organization's last change in `resource_change`, and otherwise the primary.
 */
export class ReadDatabase {
  readonly #options: ReadDatabaseOptions;
  #pausedUntilMs = 0;

  constructor(options: ReadDatabaseOptions) {
    this.#options = options;
  }

  /**
   * Compares the server of DATABASE_REPLICA_URL with the primary.
   *
   * @returns undefined without a replica
   * @throws the error of the server that cannot be reached
   */
  async compareReplica(): Promise<ReplicaComparison | undefined> {
    const { primary, replica } = this.#options;
    if (!replica) return undefined;
    const [own, other] = [await readIdentity(primary), await readIdentity(replica)];
    return {
      isReplica: other.isReplica,
      isSameDatabase: own.cluster === other.cluster && own.database === other.database,
    };
  }

  /** Returns the database for the list of a table of one organization. */
  forList(table: keyof Database, organizationId: string): Db {
    return LOGGED_TABLES.includes(table) ? this.for(organizationId) : this.#options.primary;
  }

  /**
   * Returns the database for queries that read only donations, donors, payouts and their totals, and the names of
   * funds and campaigns, of one organization. Without a replica it is the primary. It has no transactions.
   */
  for(organizationId: string): Db {
    const { primary, replica } = this.#options;
    if (!replica) return primary;
    const execute = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      (await this.#readReplica<Row>(replica, organizationId, query)) ??
      (await primary.executeQuery<Row>(query as CompiledQuery<Row>));
    return new Kysely<Database>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new ReadDriver(execute),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** @returns undefined if the replica lacks the organization's last change, has failed, or is not asked */
  async #readReplica<Row>(
    replica: Db,
    organizationId: string,
    query: CompiledQuery,
  ): Promise<QueryResult<Row> | undefined> {
    const result =
      Date.now() < this.#pausedUntilMs
        ? undefined
        : await this.#tryReplica<Row>(replica, organizationId, query);
    this.#options.onRead(result ? 'replica' : 'primary');
    return result;
  }

  async #tryReplica<Row>(replica: Db, organizationId: string, query: CompiledQuery) {
    const lastChange = await loadLastChange(this.#options.primary, organizationId);
    try {
      // Both statements are in one transaction, so that a pooler or load balancer sends them to the same server.
      return await replica
        .transaction()
        .setAccessMode('read only')
        .execute(async (tx) =>
          (await hasChange(tx, lastChange))
            ? await tx.executeQuery<Row>(query as CompiledQuery<Row>)
            : undefined,
        );
    } catch (error) {
      if ((error as { code?: string }).code !== RECOVERY_CONFLICT) {
        this.#pausedUntilMs = Date.now() + PAUSE_MS;
        this.#options.onReplicaError(error);
      }
      return undefined;
    }
  }
}

export interface ReplicaComparison {
  /** False for a server that follows no other. */
  isReplica: boolean;
  /** Whether it has the files of the same cluster, and the URLs name the same database in it. */
  isSameDatabase: boolean;
}

interface ServerIdentity {
  /** Given to a cluster when it is created, and shared by its replicas. */
  cluster: string;
  database: string;
  isReplica: boolean;
}

async function readIdentity(db: Db): Promise<ServerIdentity> {
  const { rows } = await sql<ServerIdentity>`
    select system_identifier::text as cluster, current_database() as database,
      pg_is_in_recovery() as "isReplica"
    from pg_control_system()`.execute(db);
  return rows[0]!;
}

/** Loads the number of the last transaction that changed the organization, as text. */
async function loadLastChange(primary: Db, organizationId: string): Promise<string | null> {
  const { xid } = await forOrganization(primary, organizationId)
    .selectFrom('resource_change')
    .select(sql<string | null>`max(xid)::text`.as('xid'))
    .executeTakeFirstOrThrow();
  return xid;
}

/**
 * Returns true if the server is a replica with the effects of all transactions up to `lastChange`.
 *
 * On a replica, `pg_snapshot_xmin` is the first transaction whose end has not been replayed. Changes are deleted from
 * the log after a day, so a replica that is an hour behind is not used: it may lack changes that are no longer there.
 * Neither is a server that follows no other: it may be a former primary, whose transactions have the same numbers.
 */
async function hasChange(server: Db, lastChange: string | null): Promise<boolean> {
  const { rows } = await sql<{ hasChange: boolean }>`
    select coalesce(pg_is_in_recovery()
      and pg_snapshot_xmin(pg_current_snapshot()) > coalesce(${lastChange}::text, '0')::xid8
      and pg_last_xact_replay_timestamp() > now() - interval '1 hour', false) as "hasChange"`.execute(
    server,
  );
  return rows[0]!.hasChange;
}

type Execute = DatabaseConnection['executeQuery'];

/** Kysely's driver for a database that only executes single queries. */
class ReadDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(executeQuery: Execute) {
    this.#connection = { executeQuery, streamQuery: rejectTransaction };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  beginTransaction = rejectTransaction;
  commitTransaction = rejectTransaction;
  rollbackTransaction = rejectTransaction;
  async destroy(): Promise<void> {}
}

function rejectTransaction(): never {
  throw new Error('The database for reads executes single queries only.');
}
