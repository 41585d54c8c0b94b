import { waitUntilReconciled, type Verdict } from './reconcile.ts';
import type { Scenario, ScenarioRun } from './scenario.ts';
import type { DataTemplate } from './support/data-template.ts';
import { slowestRecovery, type RecoveryTime } from './support/recovery-time.ts';
import { TestWorld } from './world.ts';

/** Longest allowed start of a service after a crash. */
const MAX_RECOVERY_MS = 5000;
/** Starts on an idle machine, measured at the end; during a fault the machine is busy. */
const IDLE_STARTS = 3;
/** Minimum share of donors whose form shows the correct result. */
const MIN_CORRECTLY_INFORMED_SHARE = 0.99;

/** Result of a scenario. */
export interface Outcome {
  name: string;
  faults: string;
  runs: number;
  verdict: Verdict;
  donors: number;
  /** From the last fault until donations and payments were equal. */
  rightAfterSeconds: number;
  back: RecoveryTime[];
  seconds: number;
  figures: string[];
  /** A sentence for each violated expectation. */
  problems: string[];
}

export interface RunOptions {
  template: DataTemplate;
  seed: number;
  runs: number;
  /** False if other scenarios run at the same time; start times are then only reported. */
  alone: boolean;
  progress(done: number): void;
}

/** Runs one scenario in its own `TestWorld`, and compares donations with payments at the end. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const { template, seed, runs, alone, progress } = options;
  const started = performance.now();
  const world = await TestWorld.open({ template, seed, ...scenario.world });
  try {
    const scene: ScenarioRun = { runs, donations: [], figures: [], progress };
    await scenario.run(world, scene);
    world.processorProxy.hooks = undefined;
    await world.faultsOff();
    const { verdict, seconds } = await waitUntilReconciled(world, scene.donations);
    if (world.recoveryTimes.length > 0) await world.restartWhenIdle(IDLE_STARTS);
    const outcome = {
      name: scenario.name,
      faults: scenario.faults,
      runs,
      verdict,
      donors: scene.donations.length,
      rightAfterSeconds: seconds,
      back: world.recoveryTimes,
      seconds: (performance.now() - started) / 1000,
      figures: scene.figures,
    };
    const own = (await scenario.check?.(world, scene)) ?? [];
    return {
      ...outcome,
      problems: [...problemsOf(outcome), ...(alone ? slowRecoveries(outcome) : []), ...own],
    };
  } catch (cause) {
    throw new Error(`${scenario.name}:\n${world.outputOf()}`, { cause });
  } finally {
    await world.close();
  }
}

function problemsOf({ verdict, donors }: Omit<Outcome, 'problems'>): string[] {
  const { oursCents, theirsCents, truly_told: told, misled } = verdict;
  return [
    ...(oursCents === theirsCents ? [] : [`${oursCents} cents here, ${theirsCents} there`]),
    ...listProblem('charged twice', verdict.charged_twice),
    ...listProblem('lost', verdict.lost),
    ...listProblem('invented', verdict.invented),
    ...listProblem('wrong', verdict.wrong),
    ...listProblem('nobody was told', verdict.untold),
    ...(told >= donors * MIN_CORRECTLY_INFORMED_SHARE ? [] : listProblem('donors misled', misled)),
  ];
}

function slowRecoveries({ back }: Omit<Outcome, 'problems'>): string[] {
  const slowest = slowestRecovery(back);
  return slowest <= MAX_RECOVERY_MS ? [] : [`back after ${Math.round(slowest)} ms`];
}

const MAX_LISTED = 5;

const listProblem = (what: string, those: readonly string[]) =>
  those.length === 0 ? [] : [`${those.length} ${what}: ${those.slice(0, MAX_LISTED).join(', ')}`];
