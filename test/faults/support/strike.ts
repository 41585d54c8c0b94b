import type { Scene } from '../scenario.ts';
import type { World } from '../world.ts';
import { crowd, type Gift } from './donor.ts';
import { once, type Call } from './wire.ts';

export interface Blow {
  /** So many people give when it strikes. */
  atOnce: number;
  /** At which of the API's calls to the processor it may strike: before it, or when it is done. */
  calls: readonly ((call: Call) => boolean)[];
  strike(): Promise<void>;
  recover(): Promise<void>;
}

/** Donors of earlier runs may still be pressing Give while so many later ones begin. */
const OVERLAP = 2;

/** Strikes, run after run, at a moment of a payment while people give; and lets them finish. */
export async function strikeWhileGiving(world: World, scene: Scene, blow: Blow): Promise<void> {
  const { random, wire } = world;
  const giving: Promise<Gift[]>[] = [];
  for (let run = 1; run <= scene.runs; run += 1) {
    const when = random.pick(['asked', 'answered'] as const);
    const call = random.pick(blow.calls);
    const struck = new Promise<void>((resolve, reject) => {
      wire.tap = once(when, call, () => blow.strike().then(resolve, reject));
    });
    const donors = crowd(world, blow.atOnce);
    giving.push(Promise.all(donors.map((donor) => donor.give())));
    await struck;
    await blow.recover();
    await giving.at(-OVERLAP);
    scene.progress(run);
  }
  scene.gifts.push(...(await Promise.all(giving)).flat());
}
