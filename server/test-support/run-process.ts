import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SESSION_SECRET } from './embedding-page.ts';
import { API_KEY } from './upstream.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const BARE_ENV = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  // Shares the compile cache of the test run.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** Runs a file of this repository as a child process, without the environment of the test run. */
export function runScript(file: string, env: Record<string, string> = {}, args: string[] = []) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...BARE_ENV, ...env },
  });
  after(() => child.kill('SIGKILL')); // Stops the process also when a test fails before it does.
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // Not `exit`: output may still arrive after that.
  const exit = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));

  /** Waits for output, and returns the first group of the pattern. */
  const waitForOutput = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(stdout);
      if (found) return found[1] ?? found[0];
      const ended = await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 20))]);
      if (ended) throw new Error(`${file} ended: ${stdout}${stderr}`);
    }
  };
  return {
    /** The URL from the line "listening on …". */
    address: () => waitForOutput(/listening on (http:\/\/localhost:\d+)/),
    waitForOutput,
    exit,
    stdout: () => stdout,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return await exit;
    },
  };
}

/** Runs the BFF as a process. */
export const runServer = (env: Record<string, string> = {}, args: string[] = []) =>
  runScript(
    'packages/cli/src/server/main.ts',
    { SERVER_PORT: '0', CONNECT_API_KEY: API_KEY, SESSION_SECRET, ...env },
    args,
  );
