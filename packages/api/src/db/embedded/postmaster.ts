import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The server that runs on a cluster, as it wrote itself down in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** It takes connections. */
  ready: boolean;
}

/**
 * Reads which server runs on a cluster.
 *
 * The file outlives a crash, and its process id may since have been given to anybody, even to
 * another process of the same user: it counts only when that process is PostgreSQL on this cluster.
 */
export function readPostmaster(cluster: string): Postmaster | undefined {
  const lines = readPidFile(cluster)?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !pid || !isPostmasterOf(cluster, pid)) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a `postmaster.pid` that no server stands behind.
 *
 * PostgreSQL itself would refuse to start when the process id is now that of any other process of
 * its user. Its second guard, the shared memory that is tied to the cluster's folder, stays.
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

/** Whether this process is the server of this cluster; a dead one that nobody reaped is not. */
export const isPostmasterOf = (cluster: string, pid: number) =>
  commandOf(pid).includes(`postgres -D ${cluster} `);

/** The command line of a process, its arguments separated by spaces. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return ''; // There is none, or it ended meanwhile.
  }
}
