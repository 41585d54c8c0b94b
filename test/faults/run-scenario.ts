import { settle, type Verdict } from './reconcile.ts';
import type { Scenario, ScenarioRun } from './scenario.ts';
import type { DataTemplate } from './support/data-template.ts';
import { slowestRecovery, type RecoveryTime } from './support/recovery-time.ts';
import { TestWorld } from './world.ts';

/** Longer than this nobody waits for a service that was started again. */
const MAX_RECOVERY_MS = 5000;
/** Amid a fault the machine is busy with the fault itself; these starts have it to themselves. */
const IDLE_STARTS = 3;
/** Of donors who are told something, so many are told what is so. */
const MIN_CORRECTLY_INFORMED_SHARE = 0.99;

/** What came of a scenario. */
export interface Outcome {
  name: string;
  faults: string;
  runs: number;
  verdict: Verdict;
  donors: number;
  /** From the last fault until both books were the same. */
  rightAfterSeconds: number;
  back: RecoveryTime[];
  seconds: number;
  figures: string[];
  /** A sentence for each thing that is not as it must be. */
  problems: string[];
}

export interface RunOptions {
  template: DataTemplate;
  seed: number;
  runs: number;
  /** False: others play at the same time, so that starts are told and not judged. */
  alone: boolean;
  progress(done: number): void;
}

/** Plays one scenario in a world of its own, and compares the books at the end. */
export async function play(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const { template, seed, runs, alone, progress } = options;
  const started = performance.now();
  const world = await TestWorld.open({ template, seed, ...scenario.world });
  try {
    const scene: ScenarioRun = { runs, donations: [], figures: [], progress };
    await scenario.run(world, scene);
    world.processorProxy.hooks = undefined;
    await world.faultsOff();
    const { verdict, seconds } = await settle(world, scene.donations);
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
