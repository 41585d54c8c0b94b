import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readEnvironment } from './environment.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs `connect-embed …` and returns its output. */
export async function runCommand(...cliArguments: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: readEnvironment().dataDir };
  const args = ['packages/cli/src/main.ts', ...cliArguments];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return stdout;
}

/** Runs `connect-embed … --json` and parses its output. */
export const runJsonCommand = async (...cliArguments: string[]) =>
  JSON.parse(await runCommand(...cliArguments, '--json')) as Record<string, string>;
