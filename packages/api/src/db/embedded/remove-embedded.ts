import { existsSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import { clusterOf } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { readClusterFolder } from './cluster-folder.ts';
import { readPostmaster } from './postmaster.ts';
import { stopServer } from './server.ts';

/**
 * Removes a data folder and its cluster folder outside of the data folder, if there is one. Stops a
 * server that a crash left running.
 *
 * @throws {FolderInUseError} while a process uses the folder
 */
export async function removeEmbedded(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const dataDir = realpathSync(folder);
  requireRemovable(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const clusterParent = readClusterFolder(dataDir);
    const orphan = readPostmaster(clusterOf(clusterParent));
    if (orphan) await stopServer(clusterOf(clusterParent), orphan.pid);
    if (clusterParent !== dataDir) rmSync(clusterParent, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  } finally {
    lock.release();
  }
}

/** Rejects a mistyped DATA_DIR that contains the home directory or this repository. */
function requireRemovable(dataDir: string) {
  for (const protectedFolder of [homedir(), process.cwd(), import.meta.dirname]) {
    const relativePath = relative(dataDir, protectedFolder);
    if (relativePath.startsWith('..') || isAbsolute(relativePath)) continue;
    throw new Error(`${dataDir} contains more than data (${protectedFolder}). Remove it manually.`);
  }
}
