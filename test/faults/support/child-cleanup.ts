import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** Kills the child process when this process exits in any way, also on Ctrl-C. */
export function killOnExit(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Removes the folder when this process exits. */
export function removeOnExit(folder: string): void {
  folders.add(folder);
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
