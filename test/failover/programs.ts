import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { killOnExit } from '../faults/support/child-cleanup.ts';
import { findProgram } from '../support/find-program.ts';

/** A program of each Debian package; `postgresql-15` has its server outside of the PATH. */
const PACKAGES: Readonly<Record<string, string>> = {
  patroni: 'patroni',
  'etcd-server': 'etcd',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'postgresql-15': '../lib/postgresql/15/bin/postgres',
};

/** Debian packages that are not installed. */
export const missingPackages = (): string[] =>
  Object.keys(PACKAGES).filter((name) => !findProgram(PACKAGES[name]!));

/**
 * The user of the programs: PostgreSQL and PgBouncer refuse to run as root, so root uses the user
 * `postgres` of Debian's package.
 */
export function programUser(): { uid: number; gid: number } {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  if (uid !== 0) return { uid, gid };
  const id = (option: string) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** A program of a Debian package that can be killed and restarted. Its output is in a file. */
export class Program {
  readonly name: string;
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: string;
  #child: ChildProcess | undefined;

  /**
   * @param name name of the log file
   * @param folder working directory, which the user of the programs owns
   */
  constructor(
    name: string,
    folder: string,
    command: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ) {
    this.name = name;
    this.#folder = folder;
    this.#command = command;
    this.#env = env;
    this.#log = join(folder, `${name}.log`);
  }

  start(): void {
    const [program, ...args] = this.#command;
    const child = spawn(findProgram(program!)!, args, {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: this.#folder, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...programUser(),
    });
    killOnExit(child);
    const log = createWriteStream(this.#log, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    this.#child = child;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** The last lines of the output, to diagnose a failure. */
  latestOutput(): string {
    return `[${this.name}]\n${readFileSync(this.#log, 'utf8').slice(-2000)}`;
  }
}
