import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { opensIntent } from '../support/processor-proxy.ts';

/** The API is killed while it creates a payment intent, before or after Stripe has done so. */
export const apiKilledBeforeResponse: Scenario = {
  name: 'API killed between intent and response',
  faults: 'SIGKILL as the intent is asked for, or when it is open and its answer is on the way',
  runs: { long: 20, short: 2 },
  async run(world, scene) {
    const { api } = world.services;
    await injectWhileDonating(world, scene, {
      concurrency: 5,
      calls: [opensIntent],
      inject: () => api.kill(),
      recover: () => world.restart(api),
    });
  },
};
