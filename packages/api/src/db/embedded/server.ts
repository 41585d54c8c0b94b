import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { isPostmasterOf, readPostmaster } from './postmaster.ts';
import type { RunAs } from './user.ts';

/**
 * Timeout of a start, which includes crash recovery: PostgreSQL replays the changes since the last
 * checkpoint, which takes seconds.
 */
const START_TIMEOUT_MS = 60_000;
/**
 * Signals that stop the server, each with a timeout after which the next signal is sent. On SIGTERM the
 * server waits for sessions to end, on SIGINT it ends them and writes a checkpoint, on SIGQUIT it stops
 * without a checkpoint, and the next start recovers the data.
 */
const STOP_STEPS: readonly [signal: NodeJS.Signals, timeoutMs: number][] = [
  ['SIGTERM', 250],
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 1_000],
];
const POLL_MS = 10;
/** Maximum length of the path of a folder with a Unix socket, whose own name has at most 19 bytes. */
const MAX_SOCKET_FOLDER_LENGTH = 80;

/** Environment of PostgreSQL's programs, without variables of the caller such as `PGPORT` or `PGOPTIONS`. */
export const CLEAN_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

export interface ServerOptions {
  binaries: Binaries;
  cluster: string;
  logFile: string;
  user: RunAs;
  /** False only in tests, where data may be lost. */
  durable: boolean;
}

/** Returns the settings, which are passed on the command line so that a release can change them. */
const settings = (port: number, { cluster, durable }: ServerOptions) => [
  'listen_addresses=127.0.0.1',
  `port=${port}`,
  // A socket in a file costs less processor time than one of TCP, which a simulation notices.
  `unix_socket_directories=${durable ? '' : socketFolder(cluster)}`,
  // Tests run many processes on one server, each with its own pool.
  `max_connections=${durable ? 60 : 300}`,
  'shared_buffers=64MB',
  // The default value of 4 is for rotating disks, and makes PostgreSQL prefer sorting over reading a
  // few rows by index.
  'random_page_cost=1.1',
  'timezone=UTC',
  'log_timezone=UTC',
  // PostgreSQL does not log failed statements, because their text contains names of donors. The
  // service reports the errors.
  'log_min_messages=log',
  'log_checkpoints=off',
  ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
];

/**
 * Returns the folder of the Unix socket of a server that is not durable: the cluster. Empty if the server has none,
 * because Node on Windows knows no Unix sockets, and because the path of a socket is limited to about 100 bytes.
 */
const socketFolder = (cluster: string): string =>
  process.platform === 'win32' || cluster.length > MAX_SOCKET_FOLDER_LENGTH ? '' : cluster;

/** Starts the server on a free port of 127.0.0.1 and waits until it accepts connections. */
export async function startServer(options: ServerOptions): Promise<ChildProcess> {
  const port = await findFreePort();
  const args = settings(port, options).flatMap((setting) => ['-c', setting]);
  rmSync(options.logFile, { force: true }); // The existing log may belong to another user.
  const log = openSync(options.logFile, 'w', 0o600);
  const child = spawn(options.binaries.postgres, ['-D', options.cluster, ...args], {
    ...options.user,
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', log, log],
    // Ctrl-C signals the whole process group; the server must outlive the processes that use it.
    detached: true,
  });
  closeSync(log);
  await untilReady(child, options);
  return child;
}

async function untilReady(child: ChildProcess, { cluster, logFile }: ServerOptions) {
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure = `stopped with ${signal ?? `exit code ${code}`}`));
  for (const deadline = Date.now() + START_TIMEOUT_MS; !failure; await sleep(POLL_MS)) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === child.pid && postmaster?.ready) return;
    if (Date.now() > deadline) failure = `was not ready after ${START_TIMEOUT_MS} ms`;
  }
  child.kill('SIGQUIT');
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  // PostgreSQL's hints suggest steps such as "run initdb", which would lose the data.
  const lastLines = lines.filter((line) => !/\bHINT: /.test(line)).slice(-5);
  const details = `Last lines of ${logFile}:\n  ${lastLines.join('\n  ')}`;
  if (lines.some((line) => DAMAGED.test(line))) throw new DamagedClusterError(cluster, details);
  throw new Error(`PostgreSQL ${failure}. ${details}`);
}

/** Matches messages of PostgreSQL about files of the cluster that it cannot read. */
const DAMAGED =
  /files are incompatible with server|not a valid data directory|pg_control|could not access the server configuration file|checkpoint record|incorrect checksum|\b(?:FATAL|PANIC): .*(?:could not (?:open|read|access) (?:file|directory)|is missing or)/;

/** Error for files that are damaged or were written by another major version of PostgreSQL. */
export class DamagedClusterError extends Error {
  override readonly name = 'DamagedClusterError';

  constructor(cluster: string, details: string) {
    super(
      `The database in ${cluster} is damaged, or was written by another version of PostgreSQL. ` +
        'Restore the folder from a backup. To create the demo data again, run `npm run reset` and ' +
        `\`npm start\`. ${details}`,
    );
  }
}

/** Stops the server and waits until it has exited. No committed data is lost. */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const [signal, timeoutMs] of STOP_STEPS) {
    if (!isPostmasterOf(cluster, pid)) return;
    process.kill(pid, signal);
    for (const deadlineMs = Date.now() + timeoutMs; Date.now() < deadlineMs; await sleep(POLL_MS)) {
      if (!isPostmasterOf(cluster, pid)) return;
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
