import { DEFECTS } from './defects.ts';
import { HistoryFailure, runHistory, type HistoryResult } from './history.ts';
import { openSimulation } from './simulation.ts';

/**
 * Histories on one database, so that its tables stay small. A new one costs as much processor time as forty donors:
 * it is copied, and each connection loads its catalog and plans its statements.
 */
const HISTORIES_PER_DATABASE = 100;

/** What a worker process is asked to do: the histories with the seeds `first`, `first + step`, and so on. */
export interface WorkerTask {
  first: number;
  step: number;
  histories: number;
  donors: number;
  defect: string | undefined;
}

/** What a worker process reports of each history. */
export type WorkerReport = { seed: number; result: HistoryResult } | Failure;

/** A history that violated a property. */
export interface Failure {
  seed: number;
  failure: string;
  /** The operations until then. */
  trace: readonly string[];
}

const task = JSON.parse(process.argv[2]!) as WorkerTask;
const defect = task.defect === undefined ? undefined : DEFECTS[task.defect];
const report = (message: WorkerReport) => void process.send!(message);

async function runHistories(from: number, to: number): Promise<void> {
  await using simulation = await openSimulation();
  for (let index = from; index < to; index += 1) {
    const seed = task.first + index * task.step;
    try {
      const result = await runHistory({ ...simulation, seed, donors: task.donors, defect });
      report({ seed, result });
    } catch (error) {
      if (!(error instanceof HistoryFailure)) throw error;
      report({ seed, failure: error.message, trace: error.trace });
    }
  }
}

// Ctrl-C reaches this process too. It ends when its parent asks for it, or has ended, so that it can still resume what
// it has paused.
process.on('SIGINT', () => {});
process.once('SIGTERM', () => process.exit(1));
process.once('disconnect', () => process.exit());
for (let from = 0; from < task.histories; from += HISTORIES_PER_DATABASE) {
  await runHistories(from, Math.min(task.histories, from + HISTORIES_PER_DATABASE));
}
process.disconnect();
