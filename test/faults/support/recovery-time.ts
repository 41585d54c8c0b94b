import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * If an empty Node process takes longer than this to start, the machine counts as busy. It is twice
 * the usual time on an idle machine.
 */
export const MAX_IDLE_PROCESS_START_MS = 100;

/** Time until a service responded again after a crash. */
export interface RecoveryTime {
  ms: number;
  /** The machine was busy, so the time does not count. */
  busy: boolean;
}

/**
 * Measures how long `recover` takes. Also measures the start of an empty process before and after
 * it, to detect a busy machine.
 */
export async function measureRecovery(recover: () => Promise<unknown>): Promise<RecoveryTime> {
  const before = await measureProcessStart();
  const started = performance.now();
  await recover();
  const ms = performance.now() - started;
  return { ms, busy: Math.max(before, await measureProcessStart()) > MAX_IDLE_PROCESS_START_MS };
}

export const slowestRecovery = (recoveryTimes: readonly RecoveryTime[]): number =>
  Math.max(0, ...recoveryTimes.filter(({ busy }) => !busy).map(({ ms }) => ms));

async function measureProcessStart(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}
