import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './config.ts';

const BUNDLE = 'packages/elements/dist/connect.js';
/** Files and folders from which the bundle is built; it is rebuilt when one of them is newer. */
const SOURCES = [
  'locales',
  'packages/elements/src',
  'packages/contract/src',
  'vite.config.ts',
  'vite.plugins.ts',
  'package-lock.json',
];

/** Builds the elements' script unless it is newer than its sources. */
export async function ensureBundle(
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const builtAt = newestMtimeMs(BUNDLE);
  if (builtAt >= Math.max(...SOURCES.map(newestMtimeMs))) return;
  print('Building the elements…');
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: ROOT, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const { stderr = '', stdout = '' } = cause as { stderr?: string; stdout?: string };
    throw new Error(`The elements could not be built.\n${stdout}${stderr}`.trim(), { cause });
  }
}

/** Modification time of the newest file, in milliseconds; 0 if there is none. */
function newestMtimeMs(path: string): number {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const files = readdirSync(join(ROOT, path)).filter((name) => !name.endsWith('.test.ts'));
  return Math.max(0, ...files.map((name) => newestMtimeMs(join(path, name))));
}
