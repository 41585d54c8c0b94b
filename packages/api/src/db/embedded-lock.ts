import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/** The folder already belongs to a running process. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Takes a data folder for this process alone, until `release` or the end of the process.
 *
 * The lock is the operating system's own (SQLite's exclusive lock on an empty file), not a file with
 * a process id in it: of two simultaneous starts exactly one wins, `kill -9` frees it at once, and a
 * process id that was given to somebody else can fool nobody.
 *
 * @throws {FolderInUseError} naming the folder
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'postgres.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new FolderInUseError(
      `${folder} is in use by a running process. Stop that one first, or set DATA_DIR to another folder.`,
    );
  }
  return { release: () => lock.close() };
}
