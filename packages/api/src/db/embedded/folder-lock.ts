import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's error code if another process holds the lock. */
const SQLITE_BUSY = 5;

/** Error for a folder that another running process uses. */
class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Locks a folder for this process until `release` or the end of the process.
 *
 * The lock is a file lock of the operating system (SQLite's exclusive lock on an empty file). Unlike a
 * file with a process id, it lets exactly one of two simultaneous starts succeed, is released by
 * `kill -9`, and cannot be confused by a reused process id.
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
