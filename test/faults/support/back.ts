import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** An empty Node process begins within this where nobody else needs the machine: twice the usual. */
export const YARDSTICK_MS = 100;

/** How long it took until a service that had ended served again. */
export interface Back {
  ms: number;
  /** Others had the machine, so that the time says nothing of the service. */
  busy: boolean;
}

/** Measures a start, and beside it, before and after, how long an empty process takes here. */
export async function timeToServe(recover: () => Promise<unknown>): Promise<Back> {
  const before = await yardstick();
  const started = performance.now();
  await recover();
  const ms = performance.now() - started;
  return { ms, busy: Math.max(before, await yardstick()) > YARDSTICK_MS };
}

export const slowestOf = (back: readonly Back[]): number =>
  Math.max(0, ...back.filter(({ busy }) => !busy).map(({ ms }) => ms));

async function yardstick(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}
