import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPostmaster } from '../faults/support/postgres.ts';
import type { Program } from './programs.ts';

const run = promisify(execFile);

/** A machine of the cluster: PostgreSQL, Patroni, which starts it, and a member of etcd. */
export class Machine {
  readonly name: string;
  readonly port: number;
  readonly #programs: { patroni: Program; etcd: Program };
  readonly #dataDir: string;
  readonly #password: string;
  readonly #restApi: string;

  constructor(options: {
    name: string;
    port: number;
    restPort: number;
    dataDir: string;
    /** Password of the user `postgres`. */
    password: string;
    programs: { patroni: Program; etcd: Program };
  }) {
    this.name = options.name;
    this.port = options.port;
    this.#programs = options.programs;
    this.#dataDir = options.dataDir;
    this.#password = options.password;
    this.#restApi = `http://127.0.0.1:${options.restPort}`;
    // Patroni starts PostgreSQL as a process of its own, which would survive this one.
    process.prependListener('exit', () => this.#killPostgres([]));
  }

  start(): void {
    this.#programs.etcd.start();
    this.#programs.patroni.start();
  }

  /** Stops PostgreSQL as well. */
  async stop(): Promise<void> {
    await this.#programs.patroni.end('SIGTERM');
    await this.#programs.etcd.end('SIGTERM');
  }

  /** Sends SIGKILL to every process at once, as if the machine lost power. */
  async kill(): Promise<void> {
    const postmaster = readPostmaster(this.#dataDir)!.pid;
    // Processes of connections would finish their work if only the postmaster were killed.
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)]);
    const children = stdout.trim().split(/\s+/).map(Number);
    const ended = Object.values(this.#programs).map((program) => program.end('SIGKILL'));
    this.#killPostgres(children);
    await Promise.all(ended);
  }

  /** Stops sending changes to the standby, as if the network between the two were interrupted. */
  async pauseReplication(): Promise<void> {
    for (const pid of await this.query('select pid from pg_stat_replication'))
      process.kill(Number(pid), 'SIGSTOP');
  }

  /** Whether Patroni reports this role: `/primary`, `/sync` (a synchronous standby). */
  hasRole(role: 'primary' | 'sync'): Promise<boolean> {
    return fetch(`${this.#restApi}/${role}`).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
  }

  /** Runs a statement as `postgres`, not through HAProxy, and returns the first column. */
  async query(statement: string, database = 'connect'): Promise<string[]> {
    return await psql(this.port, this.#password, ['--dbname', database, '--command', statement]);
  }

  latestOutput(): string {
    const log = join(this.#dataDir, '../postgres.log');
    return Object.values(this.#programs)
      .map((program) => program.latestOutput())
      .concat(readFileSync(log, { encoding: 'utf8', flag: 'a+' }).slice(-2000))
      .join('\n');
  }

  #killPostgres(children: readonly number[]): void {
    const postmaster = readPostmaster(this.#dataDir);
    for (const pid of postmaster ? [postmaster.pid, ...children] : []) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended.
      }
    }
  }
}

/** Runs `psql` as `postgres`, and returns the lines of its output. */
export async function psql(
  port: number,
  password: string,
  args: readonly string[],
): Promise<string[]> {
  const connection = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres'];
  const format = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align'];
  const { stdout } = await run(
    'psql',
    [...connection, ...format, '--set=ON_ERROR_STOP=1', ...args],
    { env: { ...process.env, PGPASSWORD: password }, maxBuffer: 100_000_000 },
  );
  return stdout.split('\n').filter(Boolean);
}
