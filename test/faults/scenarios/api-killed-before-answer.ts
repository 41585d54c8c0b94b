import type { Scenario } from '../scenario.ts';
import { strikeWhileGiving } from '../support/strike.ts';
import { opensIntent } from '../support/wire.ts';

/** The processor has opened an intent, or is about to, and whoever asked for it is dead. */
export const apiKilledBeforeAnswer: Scenario = {
  name: 'API killed between intent and response',
  faults: 'SIGKILL as the intent is asked for, or when it is open and its answer is on the way',
  runs: { long: 20, short: 2 },
  async run(world, scene) {
    const { api } = world.rooms;
    await strikeWhileGiving(world, scene, {
      atOnce: 5,
      calls: [opensIntent],
      strike: () => api.kill(),
      recover: () => world.restart(api),
    });
  },
};
