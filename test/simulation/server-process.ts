const paused = new Set<number>();

/**
 * Stops a process of PostgreSQL, which runs on this machine, until it is resumed. It must be waiting for a lock of a row
 * or a transaction: then it holds no internal lock of the server. Others can go on, but no database can be dropped.
 *
 * @param processId id of the process that serves a connection
 */
export function pause(processId: number): void {
  paused.add(processId);
  process.kill(processId, 'SIGSTOP');
}

/** Lets a process of PostgreSQL continue. */
export function resume(processId: number): void {
  paused.delete(processId);
  process.kill(processId, 'SIGCONT');
}

// A paused process would not notice that its connection has ended, and the server could not stop.
process.on('exit', () => {
  for (const processId of paused) {
    try {
      resume(processId);
    } catch {
      // The server has ended.
    }
  }
});
