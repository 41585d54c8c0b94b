import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './config.ts';

/**
 * Modification time of the newest file of the given files and folders, in milliseconds; 0 if there is
 * none. Tests do not count.
 */
export const newestMtimeMs = (paths: readonly string[]): number =>
  Math.max(0, ...paths.map(mtimeMs));

function mtimeMs(path: string): number {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const files = readdirSync(join(ROOT, path)).filter((name) => !name.endsWith('.test.ts'));
  return newestMtimeMs(files.map((name) => join(path, name)));
}
