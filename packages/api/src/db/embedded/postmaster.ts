import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The server process of a cluster, as recorded in PostgreSQL's file `postmaster.pid`. */
interface Postmaster {
  pid: number;
  port: number;
  /** True if the server accepts connections. */
  ready: boolean;
}

/**
 * Returns the server process that runs on a cluster; undefined if none runs.
 *
 * The file `postmaster.pid` survives a crash, and any program may get the process id in it. The id
 * counts only if that process is PostgreSQL on this cluster.
 */
export function readPostmaster(cluster: string): Postmaster | undefined {
  const lines = readPidFile(cluster)?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !pid || !isPostmasterOf(cluster, pid)) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a `postmaster.pid` whose server does not run.
 *
 * PostgreSQL would refuse to start if another process of the same user now had that process id.
 * PostgreSQL still detects another server by the shared memory of the cluster's directory.
 */
export function removeStalePidFile(cluster: string) {
  const pid = Number(readPidFile(cluster)?.split('\n')[0]);
  if (!pid || isPostmasterOf(cluster, pid)) return;
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function readPidFile(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns true if a process is the server of this cluster. A zombie has no command line and does not count. */
export const isPostmasterOf = (cluster: string, pid: number) =>
  commandOf(pid).includes(`postgres -D ${cluster} `);

/** Returns the command line of a process, with spaces between the arguments. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return ''; // The process does not exist, or has just exited.
  }
}
