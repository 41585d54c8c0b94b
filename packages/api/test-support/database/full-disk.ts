import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface FullDisk {
  /** Frees the disk space again. */
  free(): void;
  unmount(): void;
}

/**
 * Mounts a small file system on a folder and fills it completely.
 *
 * @returns undefined if the process may not mount file systems, for example because it is not root
 */
export function fillDisk(folder: string, size = '1m'): FullDisk | undefined {
  const options = ['-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'tmpfs', folder];
  if (spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) return undefined;
  const filling = join(folder, 'filling');
  fill(filling);
  return {
    free: () => rmSync(filling),
    unmount: () => void spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' }),
  };
}

/**
 * Appends to a file until the disk is full.
 *
 * @throws {Error} if writing fails for another reason
 */
function fill(path: string): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(4096), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
