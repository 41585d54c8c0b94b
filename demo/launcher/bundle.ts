import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './config.ts';
import { newestMtimeMs } from './newest-mtime.ts';

const BUNDLE = 'packages/elements/dist/connect.js';
/** Files and folders from which the bundle is built; it is rebuilt when one of them is newer. */
const SOURCES = [
  'packages/locales',
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
  if (newestMtimeMs([BUNDLE]) >= newestMtimeMs(SOURCES)) return;
  print('Building the elements…');
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: ROOT, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const { stderr = '', stdout = '' } = cause as { stderr?: string; stdout?: string };
    throw new Error(`The elements could not be built.\n${stdout}${stderr}`.trim(), { cause });
  }
}
