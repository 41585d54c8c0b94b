import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/**
 * Lets one launcher at a time work on a data folder. The operating system holds the lock and frees
 * it when the process ends in whatever way, as in docs/decisions/0001-embedded-postgresql.md.
 *
 * @throws {Error} naming the folder when another one is running
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
      `\`npm start\` is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    );
  }
  return { release: () => lock.close() };
}
