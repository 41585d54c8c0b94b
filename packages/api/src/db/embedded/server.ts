import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { isPostmasterOf, readPostmaster } from './postmaster.ts';
import type { RunAs } from './user.ts';

/** Recovery after a crash replays what was written since the last checkpoint: seconds, not minutes. */
const START_TIMEOUT_MS = 60_000;
/**
 * How the server is stopped, and how long each way may take: it waits for sessions that are being
 * closed anyway, then ends the others and writes a checkpoint, then leaves that to the next start.
 */
const STOP_STEPS: readonly [signal: NodeJS.Signals, timeoutMs: number][] = [
  ['SIGTERM', 250],
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 1_000],
];
const POLL_MS = 10;

/** Nothing of the caller's environment may change what PostgreSQL does (`PGPORT`, `PGOPTIONS`, …). */
export const CLEAN_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

export interface ServerOptions {
  binaries: Binaries;
  cluster: string;
  logFile: string;
  user: RunAs;
  /** False only where the data may be lost: tests. */
  durable: boolean;
}

/** Settings stand on the command line, not in the cluster, so that a new release can change them. */
const settings = (port: number, durable: boolean) => [
  'listen_addresses=127.0.0.1',
  `port=${port}`,
  'unix_socket_directories=',
  // Tests are many processes on one server, each with a pool of its own; service and commands are few.
  `max_connections=${durable ? 60 : 300}`,
  'shared_buffers=64MB',
  // Its default is a disk that turns: few rows would be read out of order, and sorted.
  'random_page_cost=1.1',
  'timezone=UTC',
  'log_timezone=UTC',
  // Failed statements are the caller's business, and their text holds donors' names.
  'log_min_messages=log',
  'log_checkpoints=off',
  ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
];

/** Starts the server on a free port of 127.0.0.1 and waits until it takes connections. */
export async function startServer(options: ServerOptions): Promise<ChildProcess> {
  const port = await findFreePort();
  const args = settings(port, options.durable).flatMap((setting) => ['-c', setting]);
  rmSync(options.logFile, { force: true }); // The one before may be another user's.
  const log = openSync(options.logFile, 'w', 0o600);
  const child = spawn(options.binaries.postgres, ['-D', options.cluster, ...args], {
    ...options.user,
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', log, log],
    // Ctrl-C reaches the whole process group; the database has to outlive those who use it.
    detached: true,
  });
  closeSync(log);
  await untilReady(child, options);
  return child;
}

async function untilReady(child: ChildProcess, { cluster, logFile }: ServerOptions) {
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure = `ended with ${signal ?? `exit code ${code}`}`));
  for (const giveUpAt = Date.now() + START_TIMEOUT_MS; !failure; await sleep(POLL_MS)) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === child.pid && postmaster?.ready) return;
    if (Date.now() > giveUpAt) failure = `was not ready after ${START_TIMEOUT_MS} ms`;
  }
  child.kill('SIGQUIT');
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  // PostgreSQL's hints are for whoever administers a server by hand: following "run initdb" loses the data.
  const lastLines = lines.filter((line) => !/\bHINT: /.test(line)).slice(-5);
  const details = `The end of ${logFile}:\n  ${lastLines.join('\n  ')}`;
  if (lines.some((line) => DAMAGED.test(line))) throw new DamagedClusterError(cluster, details);
  throw new Error(`PostgreSQL ${failure}. ${details}`);
}

/** What PostgreSQL writes when it cannot read its own files. */
const DAMAGED =
  /files are incompatible with server|not a valid data directory|pg_control|could not access the server configuration file|checkpoint record|incorrect checksum|\b(?:FATAL|PANIC): .*(?:could not (?:open|read|access) (?:file|directory)|is missing or)/;

/** The files of the cluster are damaged, or were written by another major version of PostgreSQL. */
export class DamagedClusterError extends Error {
  override readonly name = 'DamagedClusterError';

  constructor(cluster: string, details: string) {
    super(
      `The database in ${cluster} is damaged, or another version of PostgreSQL wrote it. ` +
        'Restore the folder from a backup. Demonstration data is created again by `npm run reset` and ' +
        `\`npm start\`. ${details}`,
    );
  }
}

/** Ends the server; whatever was acknowledged is written, and nothing is left running. */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const [signal, timeoutMs] of STOP_STEPS) {
    if (!isPostmasterOf(cluster, pid)) return;
    process.kill(pid, signal);
    for (const giveUpAt = Date.now() + timeoutMs; Date.now() < giveUpAt; await sleep(POLL_MS)) {
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
