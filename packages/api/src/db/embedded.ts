import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './embedded/binaries.ts';
import { clusterOf, ensureCluster, readPassword, ROLE } from './embedded/cluster.ts';
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

export interface EmbeddedOptions {
  /** Everything that lasts lives here; one process at a time. */
  dataDir: string;
  /** Told, in a sentence each, what is not an everyday start. */
  log?: (sentence: string) => void;
  /** False only where the data may be lost: tests. */
  durable?: boolean;
}

export interface EmbeddedServer {
  url: string;
  /** Ends every session, writes everything, leaves nothing running. */
  stop: () => Promise<void>;
  /** Settles when the server has ended, whoever ended it. */
  ended: Promise<void>;
}

const DATABASE = 'connect';
/** A second try meets a port that was taken meanwhile, or what a killed server has yet to let go. */
const START_ATTEMPTS = 3;
const RETRY_MS = 500;

/**
 * Starts the PostgreSQL that npm installed, on the data in `dataDir`.
 *
 * Why a real server and how it is kept: docs/decisions/0001-embedded-postgresql.md
 *
 * @throws {FolderInUseError} when another process runs on the same folder
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  await using disposables = new AsyncDisposableStack();
  disposables.defer(lockFolder(dataDir).release);
  const user = chooseUser(clusterOf(readClusterFolder(dataDir)));
  const home = chooseClusterFolder(dataDir, user);
  // A copy of a data folder whose cluster is outside names the same cluster.
  if (home !== dataDir) disposables.defer(lockFolder(home).release);
  const { ended } = await startCluster({ ...options, dataDir }, home, user, disposables);
  const url = connectionUrl(dataDir);
  if (!url) throw new Error('PostgreSQL ended as soon as it had started.');
  await ensureDatabase(url);
  const resources = disposables.move();
  let stopping: Promise<void> | undefined;
  return { url, ended, stop: () => (stopping ??= resources.disposeAsync()) };
}

/** Where the server that runs on `dataDir` answers; undefined when none runs. */
export function connectionUrl(dataDir: string): string | undefined {
  if (!existsSync(dataDir)) return undefined;
  const folder = realpathSync(dataDir);
  const postmaster = readPostmaster(clusterOf(readClusterFolder(folder)));
  if (!postmaster?.ready) return undefined;
  return `postgres://${ROLE}:${readPassword(folder)}@127.0.0.1:${postmaster.port}/${DATABASE}`;
}

/**
 * Starts the server of the cluster in `home`, making the cluster if there is none.
 *
 * @param disposables is left what stops the server again
 * @returns settles when the server has ended
 */
async function startCluster(
  { dataDir, log, durable = true }: EmbeddedOptions,
  home: string,
  user: RunAs,
  disposables: AsyncDisposableStack,
): Promise<{ ended: Promise<void> }> {
  const cluster = clusterOf(home);
  const binaries = await findBinaries(home, user);
  await stopOrphan(cluster, log);
  ensureCluster({ dataDir, home, binaries, user, log });
  removeStalePidFile(cluster);
  const logFile = join(dataDir, 'postgres.log');
  const child = await startWithRetries({ binaries, cluster, logFile, user, durable });
  disposables.defer(() => stopServer(cluster, child.pid as number));
  // A process that ends without `stop()` takes its server along, as far as it can.
  const killServer = () => child.kill('SIGINT');
  process.once('exit', killServer);
  disposables.defer(() => void process.off('exit', killServer));
  return { ended: new Promise((resolve) => child.once('exit', () => resolve())) };
}

/** We hold the folder, so a server that still runs on it lost the process that it belonged to. */
async function stopOrphan(cluster: string, log: EmbeddedOptions['log']) {
  const orphan = readPostmaster(cluster);
  if (!orphan) return;
  log?.(`Stopping the PostgreSQL (process ${orphan.pid}) that a crash left running on ${cluster}.`);
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
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!found.rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
