import type { ScenarioRun } from '../scenario.ts';
import type { TestWorld } from '../world.ts';
import { crowd, type AttemptedDonation } from './donor.ts';
import { once, type ProcessorCall } from './processor-proxy.ts';

export interface Injection {
  /** So many people give when it strikes. */
  concurrency: number;
  /** At which of the API's calls to the processor it may strike: before it, or when it is done. */
  calls: readonly ((call: ProcessorCall) => boolean)[];
  inject(): Promise<void>;
  recover(): Promise<void>;
}

/** Donors of earlier runs may still be pressing Give while so many later ones begin. */
const MAX_OVERLAPPING_RUNS = 2;

/** Strikes, run after run, at a moment of a payment while people give; and lets them finish. */
export async function injectWhileDonating(
  world: TestWorld,
  scene: ScenarioRun,
  blow: Injection,
): Promise<void> {
  const { random, processorProxy } = world;
  const giving: Promise<AttemptedDonation[]>[] = [];
  for (let run = 1; run <= scene.runs; run += 1) {
    const phase = random.pick(['asked', 'answered'] as const);
    const call = random.pick(blow.calls);
    const injected = new Promise<void>((resolve, reject) => {
      processorProxy.hooks = once(phase, call, () => blow.inject().then(resolve, reject));
    });
    const donors = crowd(world, blow.concurrency);
    giving.push(Promise.all(donors.map((donor) => donor.give())));
    await injected;
    await blow.recover();
    await giving.at(-MAX_OVERLAPPING_RUNS);
    scene.progress(run);
  }
  scene.donations.push(...(await Promise.all(giving)).flat());
}
