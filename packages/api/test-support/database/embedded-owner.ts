import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { readClusterFolder } from '../../src/db/embedded/cluster-folder.ts';
import { removeEmbedded } from '../../src/db/embedded/remove-embedded.ts';

interface EmbeddedProcess {
  pid: number;
  /** Connection URL of the database; undefined if the process could not start it. */
  url: string | undefined;
  /** Resolves to the output on stderr when the process has exited. */
  stderr: Promise<string>;
  /** Sends a signal and waits until the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

const PROGRAM = join(import.meta.dirname, 'embedded-process.ts');

interface OwnerOptions {
  program?: string;
  uid?: number;
  env?: NodeJS.ProcessEnv;
}

const running = new Set<ChildProcess>();

/**
 * Starts a process that runs an embedded PostgreSQL in the data folder, and waits until the
 * database is ready or the process has exited.
 */
export async function startOwner(
  dataDir: string,
  { program = PROGRAM, uid, env = process.env }: OwnerOptions = {},
): Promise<EmbeddedProcess> {
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [program, dataDir], {
    ...user,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = once(child, 'close').finally(() => running.delete(child));
  const stderr = text(child.stderr);
  const first = await Promise.race([once(child.stdout, 'data'), ended]);
  const url = Buffer.isBuffer(first[0]) ? first[0].toString().trim() : undefined;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid ?? 0, url, stderr, end };
}

/**
 * Returns functions that create and remove the data folders of one test file. Other users may enter the
 * folders, as they may enter a typical checkout.
 */
export function makeFolders() {
  const folders: string[] = [];
  const makeFolder = (mode = 0o711) => {
    const folder = mkdtempSync(join(tmpdir(), 'connect-embedded-'));
    chmodSync(folder, mode);
    folders.push(folder);
    return folder;
  };
  const removeFolders = async () => {
    // Processes that a failed test left behind would keep the run from ending.
    for (const owner of running) owner.kill('SIGKILL');
    for (const folder of folders) await removeEmbedded(folder);
  };
  return { makeFolder, removeFolders };
}

/** Runs one statement on a new connection. */
export async function execute(url: string | undefined, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query<unknown[]>({ text: statement, rowMode: 'array' })
    .finally(() => client.end());
  return rows.flat();
}

/** Returns the process id in `postmaster.pid`, even if that process has exited. */
export const postmasterPid = (dataDir: string) =>
  Number(
    readFileSync(join(readClusterFolder(dataDir), 'postgres/postmaster.pid'), 'utf8').split(
      '\n',
    )[0],
  );

/** Kills processes as a power failure does. Processes that have exited already are ignored. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Returns the ids of all PostgreSQL processes of the data folder. */
export function serverProcesses(dataDir: string): number[] {
  const cluster = join(readClusterFolder(dataDir), 'postgres');
  const rows = process.platform === 'linux' ? readProcesses() : queryProcesses();
  const main = rows.filter((row) => row.join(' ').includes(`postgres -D ${cluster} `));
  const ids = new Set(main.map(([pid]) => pid));
  return rows
    .filter(([pid, parent]) => ids.has(pid) || ids.has(parent))
    .map(([pid]) => Number(pid));
}

/** One row per process: its id, its parent's id, and the parts of its command line. */
type Rows = string[][];

/** Reads the processes from `/proc`, because minimal Linux images have no `ps`. */
const readProcesses = (): Rows =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const [state, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // A zombie process has exited, but its parent has not read the exit status.
        if (state === 'Z') return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return [[pid, parent, ...command]];
      } catch {
        return []; // The process has exited meanwhile.
      }
    });

const queryProcesses = (): Rows =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
