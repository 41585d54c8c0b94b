import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { removeEmbedded } from '../../src/db/embedded/remove-embedded.ts';

/**
 * Matches the name of a test run, which is the prefix of the run's databases and the application name
 * of the run's database session.
 */
const RUN_NAME = /^connect_test_[0-9a-f]{12}/;

const TEMPORARY = 'connect-test-';
/** Minimum age of an abandoned folder. A live run has locked its folder by then. */
const ABANDONED_AFTER_MS = 60_000;

export interface TestServer {
  /** URL of the maintenance database, from which other databases are created and dropped. */
  url: string;
  /**
   * Folder of the server's Unix socket. Empty if it has none, and for an existing server, which may run on another
   * machine.
   */
  socketFolder: string;
  /** Name of the migrated, empty database to clone. */
  template: string;
  close: () => Promise<void>;
}

/** The environment variables by which test files, in processes of their own, find the server. */
export const serverEnvironment = ({ url, socketFolder, template }: TestServer) => ({
  TEST_SERVER_URL: url,
  TEST_SERVER_SOCKET: socketFolder,
  TEST_TEMPLATE: template,
});

/**
 * Starts one PostgreSQL server for a whole test run, with a migrated template database.
 *
 * @param databaseUrl an existing server, whose role may create databases; without it an embedded
 *   server runs in a temporary folder, without durable writes and therefore twice as fast
 */
export async function openTestServer(databaseUrl: string | undefined): Promise<TestServer> {
  const server = databaseUrl ? { url: databaseUrl, stop: async () => {} } : await startTemporary();
  const run = `connect_test_${randomBytes(6).toString('hex')}`;
  const template = `${run}_template`;
  const client = new pg.Client({ connectionString: server.url, application_name: run });
  const close = async () => {
    try {
      await dropDatabases(client, (name) => name.startsWith(run)).finally(() => client.end());
    } finally {
      await server.stop();
    }
  };
  try {
    await client.connect();
    await dropLeftovers(client);
    await client.query(`create database ${template}`);
    await migrateDatabase(withDatabase(server.url, template));
    const socketFolder = databaseUrl ? '' : await readSocketFolder(client);
    return { url: server.url, socketFolder, template, close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Replaces the database name in a URL. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Starts an embedded PostgreSQL whose folder is removed when it stops. */
export async function startTemporary() {
  await removeAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), TEMPORARY));
  // If root runs the tests, PostgreSQL runs as a system user, who must be able to enter the folder.
  await chmod(dataDir, 0o711);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { url, stop } = await startEmbedded({ dataDir, durable: false });
    return { url, stop: () => stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Removes folders of runs that were killed. Ignores folders in use, which cannot be removed.
 */
async function removeAbandoned() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(TEMPORARY)) continue;
    const folder = join(tmpdir(), name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await removeEmbedded(folder).catch(() => {});
  }
}

/** Reads a setting that only superusers may read. */
async function readSocketFolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ unix_socket_directories: string }>(
    'show unix_socket_directories',
  );
  return rows[0]!.unix_socket_directories;
}

async function migrateDatabase(url: string) {
  const database = openDatabase(url, { limitStatements: false });
  await migrate(database.db).finally(() => database.close());
}

/**
 * Drops databases of runs that were killed: their database session has ended, but their databases
 * still exist.
 */
async function dropLeftovers(client: pg.Client) {
  const sessions = await client.query<{ name: string }>(
    'select application_name as name from pg_stat_activity where usename = current_user',
  );
  const running = new Set(sessions.rows.map(({ name }) => name));
  await dropDatabases(client, (name) => {
    const run = RUN_NAME.exec(name)?.[0];
    return run !== undefined && !running.has(run);
  });
}

async function dropDatabases(client: pg.Client, matches: (name: string) => boolean) {
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
  for (const { datname } of rows) {
    if (matches(datname)) await client.query(`drop database if exists ${datname} with (force)`);
  }
}
