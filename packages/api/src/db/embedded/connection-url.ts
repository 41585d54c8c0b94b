import { existsSync, realpathSync } from 'node:fs';
import { clusterOf, readPassword, ROLE } from './cluster.ts';
import { readClusterFolder } from './cluster-folder.ts';
import { readPostmaster } from './postmaster.ts';

/** Name of the database of the embedded server. */
export const DATABASE = 'connect';

/** Returns the connection URL of the server that runs on `dataDir`; undefined if none runs. */
export function connectionUrl(dataDir: string): string | undefined {
  if (!existsSync(dataDir)) return undefined;
  const folder = realpathSync(dataDir);
  const postmaster = readPostmaster(clusterOf(readClusterFolder(folder)));
  if (!postmaster?.ready) return undefined;
  return `postgres://${ROLE}:${readPassword(folder)}@127.0.0.1:${postmaster.port}/${DATABASE}`;
}
