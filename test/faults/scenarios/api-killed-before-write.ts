import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { readsIntent } from '../support/processor-proxy.ts';

/**
 * The API is killed while it handles the event of a successful payment, before it writes the
 * donation.
 */
export const apiKilledBeforeWrite: Scenario = {
  name: 'API killed between the processor’s success and our write',
  faults: 'SIGKILL while the API deals with the event of a payment: as it asks, or as it is told',
  runs: { long: 20, short: 2 },
  async run(world, scene) {
    const { api } = world.services;
    await injectWhileDonating(world, scene, {
      concurrency: 5,
      calls: [readsIntent],
      inject: () => api.kill(),
      recover: () => world.restart(api),
    });
  },
};
