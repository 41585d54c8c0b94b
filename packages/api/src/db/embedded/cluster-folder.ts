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

/** Where a system user can go when it may not enter the data folder. */
const OUTSIDE_ROOT = '/var/lib/connect-embed';

/** Names the folder outside, where there is one; removing the data reads it too. */
const POINTER = 'postgres-is-at';

/**
 * The folder that holds the cluster: the data folder itself, or the one that its pointer names.
 *
 * What is read here is also what `removeEmbedded` deletes, so nothing but a folder of ours is taken.
 */
export function readClusterFolder(dataDir: string): string {
  const pointer = join(dataDir, POINTER);
  if (!existsSync(pointer)) return dataDir;
  const home = readFileSync(pointer, 'utf8').trim();
  if (/^\/var\/lib\/connect-embed\/[0-9a-f]{16}$/.test(home)) return home;
  throw new Error(`${pointer} does not name a folder under ${OUTSIDE_ROOT}.`);
}

/**
 * Finds a folder for the cluster that the user who runs PostgreSQL can enter.
 *
 * That is the data folder wherever possible. A clone under a folder that only root can enter is out
 * of reach for the system user that root has to run PostgreSQL as; its cluster lives outside, and a
 * pointer in the data folder says where.
 */
export function chooseClusterFolder(dataDir: string, user: RunAs): string {
  const home = readClusterFolder(dataDir);
  if (home !== dataDir && !existsSync(home)) {
    throw new Error(
      `The data of ${dataDir} is in ${home}, and that is gone. Only \`npm run reset\` helps.`,
    );
  }
  if (home !== dataDir || canEnter(dataDir, user) || grantAccess(dataDir, user)) return home;
  const outside = join(OUTSIDE_ROOT, randomBytes(8).toString('hex'));
  try {
    mkdirSync(outside, { recursive: true });
    for (const folder of [OUTSIDE_ROOT, outside]) chmodSync(folder, 0o711);
    writeFileSync(join(outside, 'belongs-to'), `${dataDir}\n`);
  } catch (cause) {
    throw new Error(
      `The user that runs PostgreSQL (uid ${user.uid}) cannot enter ${dataDir}, and ${outside} cannot be ` +
        'made instead. Set DATA_DIR to a folder that every user can enter, or set DATABASE_URL.',
      { cause },
    );
  }
  writeFileSync(join(dataDir, POINTER), `${outside}\n`);
  return outside;
}

/** Where the data folder alone is closed, its group becomes that user's, who may then pass through. */
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
