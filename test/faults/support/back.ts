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

/** Services that are starting at this moment, and how many ever did. */
let starting = 0;
let begun = 0;

/**
 * Measures a start, and beside it, before and after, how long an empty process takes here. Services
 * that start at the same time share the cores: none of them says how long one takes.
 */
export async function timeToServe(recover: () => Promise<unknown>): Promise<Back> {
  const before = await yardstick();
  const first = starting === 0;
  const turn = (begun += 1);
  starting += 1;
  const started = performance.now();
  await recover().finally(() => (starting -= 1));
  const ms = performance.now() - started;
  const alone = first && turn === begun;
  return { ms, busy: !alone || Math.max(before, await yardstick()) > YARDSTICK_MS };
}

export const slowestOf = (back: readonly Back[]): number =>
  Math.max(0, ...back.filter(({ busy }) => !busy).map(({ ms }) => ms));

async function yardstick(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}
