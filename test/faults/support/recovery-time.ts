import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** An empty Node process begins within this where nobody else needs the machine: twice the usual. */
export const IDLE_PROCESS_START_MS = 100;

/** How long it took until a service that had ended served again. */
export interface RecoveryTime {
  ms: number;
  /** Others had the machine, so that the time says nothing of the service. */
  busy: boolean;
}

/** Measures a start, and beside it, before and after, how long an empty process takes here. */
export async function measureRecovery(recover: () => Promise<unknown>): Promise<RecoveryTime> {
  const before = await measureProcessStart();
  const started = performance.now();
  await recover();
  const ms = performance.now() - started;
  return { ms, busy: Math.max(before, await measureProcessStart()) > IDLE_PROCESS_START_MS };
}

export const slowestRecovery = (back: readonly RecoveryTime[]): number =>
  Math.max(0, ...back.filter(({ busy }) => !busy).map(({ ms }) => ms));

async function measureProcessStart(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}
