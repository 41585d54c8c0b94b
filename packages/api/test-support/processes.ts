import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server room that runs as a process of its own. */
export interface ServerProcess {
  url: string;
  process: ChildProcess;
  /** What it has written to stderr, which is its log. */
  log: () => string;
  stop: () => Promise<number | null>;
}

/**
 * What a process needs that is to have nothing of the caller's own settings. Compiled once for the
 * whole run, a start takes a third less of a core.
 */
export const BARE_ENV = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/**
 * Starts a room's `main.ts` and waits for its line "… listening on …".
 *
 * @throws {Error} with what it wrote, when it ends instead
 */
export async function startServerProcess(
  main: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...BARE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  // Not `exit`: what it wrote last may come after that.
  const ended = once(child, 'close') as Promise<[number | null]>;
  const url = await Promise.race([
    untilListening(child),
    ended.then(([code]) => Promise.reject(new Error(`${main} ended with ${code}:\n${log}`))),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return { url, process: child, log: () => log, stop };
}

const untilListening = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const url = /listening on (\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
  });
