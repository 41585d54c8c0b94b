import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server (API, sandbox or BFF) that runs as a separate process. */
export interface ServerProcess {
  url: string;
  process: ChildProcess;
  /** Returns the log: all output to stderr so far. */
  log: () => string;
  /** Waits for a line of stdout, also an earlier one, and returns its first group. */
  waitForLine: (pattern: RegExp) => Promise<string>;
  stop: () => Promise<number | null>;
}

/**
 * Environment variables of processes that must not inherit the settings of the test run. The shared
 * compile cache saves a third of the CPU time of a start.
 */
export const MINIMAL_ENV = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/**
 * Starts a `main.ts` and waits for its line “… listening on …”.
 *
 * @throws {Error} with the log of the process, if the process exits instead
 */
export async function startServerProcess(
  main: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...MINIMAL_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  // `close` instead of `exit`, because the last output may arrive after `exit`.
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const waitForLine = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = lines.map((line) => pattern.exec(line)?.[1]).find(Boolean);
      if (match) return match;
      await once(output, 'line');
    }
  };
  const url = await Promise.race([
    waitForLine(/listening on (\S+)/),
    ended.then(([code]) => Promise.reject(new Error(`${main} ended with ${code}:\n${log}`))),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return { url, process: child, log: () => log, waitForLine, stop };
}
