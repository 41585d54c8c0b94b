import { settle, type Verdict } from './ledger.ts';
import type { Scenario, Scene } from './scenario.ts';
import type { Template } from './support/template.ts';
import { slowestOf, type Back } from './support/back.ts';
import { World } from './world.ts';

/** Longer than this nobody waits for a service that was started again. */
const BACK_MS = 5000;
/** Amid a fault the machine is busy with the fault itself; these starts have it to themselves. */
const CALM_STARTS = 3;
/** Of donors who are told something, so many are told what is so. */
const TRUE_SHARE = 0.99;

/** What came of a scenario. */
export interface Outcome {
  name: string;
  faults: string;
  runs: number;
  verdict: Verdict;
  donors: number;
  /** From the last fault until both books were the same. */
  rightAfterSeconds: number;
  back: Back[];
  seconds: number;
  figures: string[];
  /** A sentence for each thing that is not as it must be. */
  problems: string[];
}

export interface PlayOptions {
  template: Template;
  seed: number;
  runs: number;
  /** False: others play at the same time, so that starts are told and not judged. */
  alone: boolean;
  progress(done: number): void;
}

/** Plays one scenario in a world of its own, and compares the books at the end. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Outcome> {
  const { template, seed, runs, alone, progress } = options;
  const started = performance.now();
  const world = await World.open({ template, seed, ...scenario.world });
  try {
    const scene: Scene = { runs, gifts: [], figures: [], progress };
    await scenario.run(world, scene);
    world.wire.tap = undefined;
    await world.faultsOff();
    const { verdict, seconds } = await settle(world, scene.gifts);
    if (world.back.length > 0) await world.startInCalm(CALM_STARTS);
    const outcome = {
      name: scenario.name,
      faults: scenario.faults,
      runs,
      verdict,
      donors: scene.gifts.length,
      rightAfterSeconds: seconds,
      back: world.back,
      seconds: (performance.now() - started) / 1000,
      figures: scene.figures,
    };
    const own = (await scenario.check?.(world, scene)) ?? [];
    return {
      ...outcome,
      problems: [...problemsOf(outcome), ...(alone ? lateOf(outcome) : []), ...own],
    };
  } catch (cause) {
    throw new Error(`${scenario.name}:\n${world.said()}`, { cause });
  } finally {
    await world.close();
  }
}

function problemsOf({ verdict, donors }: Omit<Outcome, 'problems'>): string[] {
  const { oursCents, theirsCents, truly_told: told, misled } = verdict;
  return [
    ...(oursCents === theirsCents ? [] : [`${oursCents} cents here, ${theirsCents} there`]),
    ...named('charged twice', verdict.charged_twice),
    ...named('lost', verdict.lost),
    ...named('invented', verdict.invented),
    ...named('wrong', verdict.wrong),
    ...named('nobody was told', verdict.untold),
    ...(told >= donors * TRUE_SHARE ? [] : named('donors misled', misled)),
  ];
}

function lateOf({ back }: Omit<Outcome, 'problems'>): string[] {
  const slowest = slowestOf(back);
  return slowest <= BACK_MS ? [] : [`back after ${Math.round(slowest)} ms`];
}

const SHOWN = 5;

const named = (what: string, those: readonly string[]) =>
  those.length === 0 ? [] : [`${those.length} ${what}: ${those.slice(0, SHOWN).join(', ')}`];
