import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Environment variable with the data folder of the system, in which the CLI finds the database. */
export const DATA_DIR_VARIABLE = 'E2E_DATA_DIR';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs `connect-embed …` and returns its output. */
export async function runCommand(...cliArguments: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: process.env[DATA_DIR_VARIABLE] };
  const args = ['packages/cli/src/main.ts', ...cliArguments];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return stdout;
}

/** Runs `connect-embed … --json` and parses its output. */
export const runJsonCommand = async (...cliArguments: string[]) =>
  JSON.parse(await runCommand(...cliArguments, '--json')) as Record<string, string>;
