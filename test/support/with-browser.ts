/**
 * Runs a command with a browser: `node test/support/with-browser.ts -- wtr --watch`.
 *
 * The command gets `CHROME_PATH` in its environment, and on a minimal machine `LD_LIBRARY_PATH` and
 * `FONTCONFIG_PATH`. Without a command it prints the path. With `--shell` before the `--` it
 * prefers a headless shell.
 */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findBrowser } from './browser.ts';

const cliArguments = process.argv.slice(2);
const prefersHeadlessShell = cliArguments[0] === '--shell';
if (prefersHeadlessShell) cliArguments.shift();
const [command, ...args] = cliArguments[0] === '--' ? cliArguments.slice(1) : cliArguments;

const browser = await findBrowser({ prefersHeadlessShell }).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

if (!command) {
  console.log(browser.path);
} else {
  console.log(`browser: ${browser.path} (${browser.source})`);
  const bin = join(import.meta.dirname, '../../node_modules/.bin');
  const PATH = [bin, process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, CHROME_PATH: browser.path, ...browser.env };
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal)); // The command decides how to stop.
  }
  child.on('error', (error) => {
    console.error(`${command}: ${error.message}`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
