import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { readPostmaster } from '../../src/db/embedded/postmaster.ts';
import { startServer, stopServer } from '../../src/db/embedded/server.ts';
import { chooseUser, type RunAs } from '../../src/db/embedded/user.ts';

/**
 * Starts a streaming replica of an embedded PostgreSQL: copies the files of the running server, as
 * `pg_basebackup` does, which is not among its programs.
 *
 * @param primaryUrl URL of a database on the primary; the role is a superuser
 * @returns the URL of the same database on the replica
 */
export async function startReplica(primaryUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'connect-test-replica-'));
  chmodSync(folder, 0o711);
  const cluster = join(folder, 'postgres');
  const primaryCluster = await copyCluster(primaryUrl, cluster);
  const user = chooseUser(primaryCluster);
  const { hostname, port, username, password } = new URL(primaryUrl);
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  writeFileSync(join(cluster, 'standby.signal'), '');
  giveTo(user, cluster);
  const binaries = await findBinaries(dirname(primaryCluster), user);
  const logFile = join(folder, 'postgres.log');
  const { pid } = await startServer({ binaries, cluster, logFile, user, durable: false });
  const url = new URL(primaryUrl);
  url.port = String(readPostmaster(cluster)!.port);
  return {
    url: url.href,
    stop: async () => {
      await stopServer(cluster, pid!);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Matches paths of files that are of use only to the server that runs: its process, its sockets, temporary files. */
const BELONGS_TO_SERVER = /\/(?:postmaster\.pid$|\.s\.PGSQL\.|pgsql_tmp)/;

/** Copies the data directory of a running server. Returns the path of that directory. */
async function copyCluster(url: string, target: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const source = rows[0]!.data_directory;
    await client.query(`select pg_backup_start('replica', true)`);
    cpSync(source, target, {
      recursive: true,
      filter: (path) => !BELONGS_TO_SERVER.test(path),
    });
    const stop = 'select labelfile from pg_backup_stop(wait_for_archive => false)';
    const { rows: labels } = await client.query<{ labelfile: string }>(stop);
    writeFileSync(join(target, 'backup_label'), labels[0]!.labelfile);
    return source;
  } finally {
    await client.end();
  }
}

/** Makes the user who runs PostgreSQL the owner of its files, which only the owner may read. */
function giveTo({ uid, gid }: RunAs, folder: string): void {
  chmodSync(folder, 0o700);
  if (uid === undefined || gid === undefined) return;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of ['.', ...files]) chownSync(join(folder, file), uid, gid);
}
