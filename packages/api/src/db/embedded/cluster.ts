import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readIfPresent, writeSecretFile } from '../../lib/secret-file.ts';
import type { Binaries } from './binaries.ts';
import { CLEAN_ENVIRONMENT } from './server.ts';
import type { RunAs } from './user.ts';

/**
 * The only PostgreSQL role of the embedded server, a superuser. Its password is generated at the first
 * start.
 */
export const ROLE = 'connect';

/** Returns the path of PostgreSQL's data directory (the cluster). */
export const clusterOf = (clusterParent: string) => join(clusterParent, 'postgres');

const passwordFile = (dataDir: string) => join(dataDir, 'postgres-password');

/**
 * Reads the password of the role.
 *
 * @throws {Error} with the path if the file is missing or empty
 */
export function readPassword(dataDir: string): string {
  const path = passwordFile(dataDir);
  const password = readIfPresent(path);
  if (password) return password;
  throw new Error(
    `${path} is ${password === undefined ? 'missing' : 'empty'}: it contains the password of the PostgreSQL cluster in this folder. ` +
      'Restore the file from a backup of this folder.',
  );
}

/** Prefix of the directory of a cluster that is not complete yet. */
const PARTIAL_PREFIX = 'postgres.new-';

interface ClusterOptions {
  dataDir: string;
  clusterParent: string;
  binaries: Binaries;
  user: RunAs;
  log: ((message: string) => void) | undefined;
}

/**
 * Creates the cluster at the first start. Does nothing if the cluster exists.
 *
 * The cluster is created under a temporary name and renamed when complete, so that an interrupted first
 * start leaves no incomplete cluster under the final name.
 */
export function ensureCluster({ dataDir, clusterParent, binaries, user, log }: ClusterOptions) {
  const cluster = clusterOf(clusterParent);
  if (existsSync(cluster)) return;
  log?.(`Creating a PostgreSQL cluster in ${cluster}.`);
  for (const name of readdirSync(clusterParent)) {
    if (name.startsWith(PARTIAL_PREFIX))
      rmSync(join(clusterParent, name), { recursive: true, force: true });
  }
  const partial = join(clusterParent, PARTIAL_PREFIX + randomBytes(6).toString('hex'));
  const initialPasswordFile = `${partial}-password`;
  const password = randomBytes(24).toString('base64url');
  try {
    mkdirSync(partial, { mode: 0o700 });
    writeFileSync(initialPasswordFile, password, { mode: 0o600 });
    if (user.uid !== undefined) {
      for (const path of [partial, initialPasswordFile]) chownSync(path, user.uid, user.gid);
    }
    runInitdb(binaries, partial, initialPasswordFile, user);
    rmSync(passwordFile(dataDir), { force: true }); // An interrupted first start may have left this file.
    writeSecretFile(passwordFile(dataDir), password);
    renameSync(partial, cluster);
  } finally {
    for (const path of [partial, initialPasswordFile])
      rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Creates the files of a cluster with PostgreSQL's initdb. The builtin locale provider uses no locale
 * data of the system, so text sorts by code point on every machine.
 */
function runInitdb({ initdb }: Binaries, folder: string, passwordFile: string, user: RunAs) {
  const options = [
    `--pgdata=${folder}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const { status, stderr, error } = spawnSync(initdb, options, {
    ...user,
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0)
    throw new Error(`PostgreSQL's initdb failed: ${error?.message ?? stderr.trim()}`);
}
