import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/** The folder already belongs to a running process. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Takes a folder for this process alone, until `release` or the end of the process.
 *
 * The lock is the operating system's own (SQLite's exclusive lock on an empty file), not a file with
 * a process id in it: of two simultaneous starts exactly one wins, `kill -9` frees it at once, and a
 * process id that was given to somebody else can fool nobody.
 *
 * @throws {FolderInUseError} naming the folder
 */
export function lockFolder(folder: string): { release: () => void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, 'postgres.lock'), { timeout: 0 });
    lock.exec('begin exclusive');
  } catch (cause) {
    if (lock?.isOpen) lock.close();
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) throw inUse(folder);
    throw new Error(`${folder} cannot be written to. Does it belong to another user?`, { cause });
  }
  const openLock = lock;
  return { release: () => void (openLock.isOpen && openLock.close()) };
}

const inUse = (folder: string) =>
  new FolderInUseError(
    `${folder} is in use by a process that is running. Stop that one first, or set DATA_DIR to another folder.`,
  );
