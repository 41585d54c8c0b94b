import { waitUntilReconciled, type Comparison } from './reconcile.ts';
import type { Scenario, ScenarioRun } from './scenario.ts';
import type { InitialData } from './support/initial-data.ts';
import { slowestRecovery, type RecoveryTime } from './support/recovery-time.ts';
import { SystemUnderTest } from './system-under-test.ts';

/** Longest allowed start of a service after a crash. */
const MAX_RECOVERY_MS = 5000;
/**
 * Number of starts that are measured on an idle machine at the end of a scenario; during a fault
 * the machine is busy.
 */
const IDLE_STARTS = 3;
/** Minimum share of donors whose form and emails show the correct result. */
const MIN_CORRECTLY_INFORMED_SHARE = 0.99;

/** Result of a scenario. */
export interface Outcome {
  name: string;
  faults: string;
  runs: number;
  comparison: Comparison;
  donors: number;
  /** Seconds from the last fault until donations and payments were equal. */
  reconciledAfterSeconds: number;
  recoveryTimes: RecoveryTime[];
  durationSeconds: number;
  figures: string[];
  /** A sentence for each violated expectation. */
  problems: string[];
}

export interface RunOptions {
  initialData: InitialData;
  seed: number;
  runs: number;
  /**
   * Whether the scenario fails if a start takes too long; false while other scenarios keep the
   * machine busy.
   */
  checkRecoveryTimes: boolean;
  progress(done: number): void;
}

/** Runs one scenario in its own `SystemUnderTest`, and compares donations with payments at the end. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const { initialData, seed, runs, checkRecoveryTimes, progress } = options;
  const started = performance.now();
  const system = await SystemUnderTest.open({ initialData, seed, ...scenario.system });
  try {
    const scenarioRun: ScenarioRun = { runs, donations: [], figures: [], progress };
    await scenario.run(system, scenarioRun);
    system.processorProxy.hooks = undefined;
    await system.faultsOff();
    await system.settleDebits();
    const { comparison, seconds } = await waitUntilReconciled(system, scenarioRun.donations);
    if (checkRecoveryTimes && system.recoveryTimes.length > 0)
      await system.restartWhenIdle(IDLE_STARTS);
    const outcome = {
      name: scenario.name,
      faults: scenario.faults,
      runs,
      comparison,
      donors: scenarioRun.donations.length,
      reconciledAfterSeconds: seconds,
      recoveryTimes: system.recoveryTimes,
      durationSeconds: (performance.now() - started) / 1000,
      figures: scenarioRun.figures,
    };
    const ownProblems = (await scenario.check?.(system, scenarioRun)) ?? [];
    return {
      ...outcome,
      problems: [
        ...problemsOf(outcome),
        ...(checkRecoveryTimes ? slowRecoveries(outcome) : []),
        ...ownProblems,
      ],
    };
  } catch (cause) {
    throw new Error(`${scenario.name}:\n${system.latestOutput()}`, { cause });
  } finally {
    await system.close();
  }
}

/** A sentence for each difference between donations and payments. */
export function problemsOf({
  comparison,
  donors,
}: Pick<Outcome, 'comparison' | 'donors'>): string[] {
  const { recordedCents, chargedCents, correctlyInformed, misinformedDonors } = comparison;
  return [
    ...(recordedCents === chargedCents
      ? []
      : [`${recordedCents} cents recorded, ${chargedCents} charged`]),
    ...listProblem('donors charged twice', comparison.chargedTwice),
    ...listProblem('payments without a donation', comparison.lost),
    ...listProblem('donations without a payment', comparison.withoutPayment),
    ...listProblem('fields that differ', comparison.mismatches),
    ...listProblem('undelivered webhook events', comparison.undeliveredWebhooks),
    ...listProblem('payments wrongly on their way or not', comparison.wronglyOnTheirWay),
    ...listProblem('payments with wrong emails', comparison.wrongEmails),
    ...(correctlyInformed >= donors * MIN_CORRECTLY_INFORMED_SHARE
      ? []
      : listProblem('donors who saw a wrong result', misinformedDonors)),
  ];
}

function slowRecoveries({ recoveryTimes }: Omit<Outcome, 'problems'>): string[] {
  const slowest = slowestRecovery(recoveryTimes);
  return slowest <= MAX_RECOVERY_MS ? [] : [`the slowest start took ${Math.round(slowest)} ms`];
}

const MAX_LISTED = 5;

const listProblem = (description: string, items: readonly string[]) =>
  items.length === 0
    ? []
    : [`${items.length} ${description}: ${items.slice(0, MAX_LISTED).join(', ')}`];
