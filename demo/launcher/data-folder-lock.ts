import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COMMANDS } from './config.ts';

/** SQLite's error code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * Locks a data folder, so that only one launcher uses it. The operating system releases the lock
 * when the process ends in any way: docs/decisions/0001-embedded-postgresql.md.
 *
 * @throws {Error} naming the folder if another launcher uses it
 */
export function lockDataFolder(dataDir: string): { release: () => void } {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(join(dataDir, 'start.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(
      `\`${COMMANDS.start}\` is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    );
  }
  return { release: () => lock.close() };
}
