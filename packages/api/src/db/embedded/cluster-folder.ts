import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunAs } from './user.ts';

/**
 * Folder for PostgreSQL's data directories (clusters) whose system user cannot enter the data folder.
 */
const OUTSIDE_ROOT = '/var/lib/connect-embed';

/**
 * Name of the pointer file: a file in the data folder with the path of a cluster outside of the data
 * folder.
 */
const POINTER = 'postgres-is-at';

/**
 * Returns the folder that contains the cluster: the data folder, or the folder that its pointer file
 * names.
 *
 * `removeEmbedded` deletes this folder, so only a path of the form that we create is accepted.
 *
 * @throws {Error} if the pointer file contains another path
 */
export function readClusterFolder(dataDir: string): string {
  const pointer = join(dataDir, POINTER);
  if (!existsSync(pointer)) return dataDir;
  const clusterParentFolder = readFileSync(pointer, 'utf8').trim();
  if (/^\/var\/lib\/connect-embed\/[0-9a-f]{16}$/.test(clusterParentFolder))
    return clusterParentFolder;
  throw new Error(`${pointer} does not name a folder under ${OUTSIDE_ROOT}.`);
}

/**
 * Chooses a folder for the cluster that PostgreSQL's user can enter.
 *
 * Chooses the data folder if possible. If only root can enter the parent folder, the system user that
 * runs PostgreSQL cannot reach the data folder. The cluster is then stored outside, with a pointer file
 * in the data folder.
 */
export function chooseClusterFolder(dataDir: string, user: RunAs): string {
  const clusterParent = readClusterFolder(dataDir);
  if (clusterParent !== dataDir && !existsSync(clusterParent)) {
    throw new Error(
      `The data of ${dataDir} was in ${clusterParent}, which no longer exists. Run \`DATA_DIR=${dataDir} npm run reset\`.`,
    );
  }
  if (clusterParent !== dataDir || canEnter(dataDir, user) || grantAccess(dataDir, user))
    return clusterParent;
  const externalFolder = join(OUTSIDE_ROOT, randomBytes(8).toString('hex'));
  try {
    mkdirSync(externalFolder, { recursive: true });
    for (const folder of [OUTSIDE_ROOT, externalFolder]) chmodSync(folder, 0o711);
    writeFileSync(join(externalFolder, 'belongs-to'), `${dataDir}\n`);
  } catch (cause) {
    throw new Error(
      `The user that runs PostgreSQL (uid ${user.uid}) cannot access ${dataDir}, and ${externalFolder} cannot be ` +
        'created instead. Set DATA_DIR to a folder that every user can access, or set DATABASE_URL.',
      { cause },
    );
  }
  writeFileSync(join(dataDir, POINTER), `${externalFolder}\n`);
  return externalFolder;
}

/**
 * Allows the user to enter the data folder through its group, if the user can enter the parent folder.
 *
 * @returns true if the user can enter the data folder afterwards
 */
function grantAccess(dataDir: string, user: RunAs): boolean {
  if (user.gid === undefined || !canEnter(dirname(dataDir), user)) return false;
  const { mode, uid } = statSync(dataDir);
  chownSync(dataDir, uid, user.gid);
  chmodSync(dataDir, (mode & 0o700) | 0o010);
  return canEnter(dataDir, user);
}

const canEnter = (folder: string, user: RunAs) =>
  user.uid === undefined ||
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' })
    .status === 0;
