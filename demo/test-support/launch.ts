/** Starts the demo with its launcher as a person does, and looks at its processes, for `start.test.ts`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START = join(import.meta.dirname, '../start.ts');
const RESET = join(import.meta.dirname, '../reset.ts');
const TIMEOUT_MS = 60_000;

/** Content of `demo.json`, which `npm start` writes for programs. */
export interface DemoFile {
  site: string;
  server: string;
  api_base: string;
  api_key: string;
  organization_id: string;
}

export interface LaunchedSystem {
  pid: number;
  output: () => string;
  /** Waits until all services run; rejects if the process exits first. */
  ready: () => Promise<DemoFile>;
  /**
   * Sends a signal and waits for the exit.
   *
   * @returns the exit code, or null if a signal ended the process
   */
  end: (signal: NodeJS.Signals, target?: 'alone' | 'group') => Promise<number | null>;
  ended: Promise<number | null>;
}

/**
 * Creates a temporary data folder that every user can enter, because PostgreSQL may run as another
 * user.
 */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'connect-launch-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Runs `npm start` on free ports, in its own process group like a terminal. */
export const launch = (dataDir: string, env: Record<string, string> = {}, args: string[] = []) =>
  launchBy([process.execPath, START, ...args], dataDir, env);

/** Runs the launcher in a shell, like npm; a signal to npm ends only this shell. */
export const launchInShell = (dataDir: string) =>
  launchBy(['sh', '-c', `"${process.execPath}" "${START}"; exit $?`], dataDir, {
    npm_lifecycle_event: 'start',
  });

function launchBy(command: string[], dataDir: string, env: Record<string, string>): LaunchedSystem {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: settings(dataDir, env),
    cwd: tmpdir(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    return code as number | null;
  });
  const ready = async () => {
    await waitUntil(
      () => hasEnded || output.includes('is running.'),
      () => output,
    );
    if (hasEnded) throw new Error(`The process exited before it was ready:\n${output}`);
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  };
  const end = (signal: NodeJS.Signals, target = 'alone') => {
    process.kill(target === 'group' ? -pid : pid, signal);
    return ended;
  };
  return { pid, output: () => output, ready, end, ended };
}

/** Runs `npm run reset` to its end. */
export async function reset(dataDir: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [RESET], { env: settings(dataDir, {}), cwd: tmpdir() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/**
 * Returns an environment without the developer's own settings, such as a database or Stripe keys.
 */
const settings = (dataDir: string, env: Record<string, string>) => ({
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
  ...{ NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  ...{ API_PORT: '0', SERVER_PORT: '0', DEMO_PORT: '0', SANDBOX_PORT: '0', DATA_DIR: dataDir },
  ...env,
});

/** Returns the process ids of a launcher's services, by name, and of its database. */
export function processesOf({ pid }: LaunchedSystem, dataDir: string): Record<string, number> {
  const processIds: Record<string, number> = {};
  for (const { id, parent, command } of processes()) {
    const entry = /(sandbox|service|server|demo)\/(?:src\/)?main\.ts/.exec(command)?.[1];
    if (parent === pid && entry) processIds[entry === 'service' ? 'api' : entry] = id;
    if (command.includes(`postgres -D ${dataDir}/`)) processIds['postgres'] = id;
  }
  return processIds;
}

export async function waitUntilExited(ids: Iterable<number>): Promise<void> {
  const hasExited = (id: number) => !processes().some((process) => process.id === id);
  for (const id of ids)
    await waitUntil(
      () => hasExited(id),
      () => `process ${id} still runs`,
    );
}

/** Sends SIGKILL to all processes, like a power failure. Ignores those that have already exited. */
export function killAll(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Returns all running processes except zombies. */
const processes = () =>
  (process.platform === 'linux' ? readProcProcesses() : listProcesses())
    .filter(({ state }) => !state.startsWith('Z'))
    .map(({ id, parent, command }) => ({ id: Number(id), parent: Number(parent), command }));

const listProcesses = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row))
    .filter((row) => row !== null)
    .map(([, id, parent, state = '', command = '']) => ({ id, parent, state, command }));

/** Reads the processes from `/proc`, because minimal Linux images have no `ps`. */
const readProcProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
        const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ id, parent, state, command }];
      } catch {
        return []; // The process has exited meanwhile.
      }
    });

export async function waitUntil(
  condition: () => boolean,
  describeState: () => string,
): Promise<void> {
  for (const giveUpAt = Date.now() + TIMEOUT_MS; !condition(); await sleep(50)) {
    if (Date.now() > giveUpAt) throw new Error(`Timed out.\n${describeState()}`);
  }
}

/** Occupies a port until `close`. */
export async function holdPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, close: () => server.close() };
}

export const modeOf = (path: string) =>
  existsSync(path) ? statSync(path).mode & 0o777 : undefined;
