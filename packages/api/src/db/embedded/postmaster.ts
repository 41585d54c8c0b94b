import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The server process of a cluster, as recorded in PostgreSQL's file `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Whether it accepts connections. */
  ready: boolean;
}

/**
 * Reads which server process runs on a cluster; undefined if none.
 *
 * The file survives a crash, and its process id may be reused by any program, even of the same user.
 * It counts only if that process is PostgreSQL on this cluster.
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
 * PostgreSQL would refuse to start if another process of its user now had that id. Its second
 * protection, the shared memory of the cluster's directory, stays.
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

/** Whether a process is the server of this cluster. A zombie process is not: its command line is empty. */
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
    return ''; // No such process, or it ended in between.
  }
}
