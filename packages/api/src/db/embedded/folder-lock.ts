import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's error code if another process holds the lock. */
const SQLITE_BUSY = 5;

/** Another running process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Locks a folder for this process until `release` or the end of the process.
 *
 * The lock is one of the operating system (SQLite's exclusive lock on an empty file), not a file with
 * a process id: of two simultaneous starts exactly one succeeds, `kill -9` releases the lock, and a
 * process id that was assigned to another program causes no confusion.
 *
 * @throws {FolderInUseError} with the path of the folder
 */
export function lockFolder(folder: string): { release: () => void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, 'postgres.lock'), { timeout: 0 });
    lock.exec('begin exclusive');
  } catch (cause) {
    if (lock?.isOpen) lock.close();
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) throw inUse(folder);
    throw new Error(`${folder} is not writable. Check whether it belongs to another user.`, {
      cause,
    });
  }
  const openLock = lock;
  return { release: () => void (openLock.isOpen && openLock.close()) };
}

const inUse = (folder: string) =>
  new FolderInUseError(
    `${folder} is in use by another process. Stop that process, or set DATA_DIR to another folder.`,
  );
