import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { createsIntent } from '../support/processor-calls.ts';

/** The API is killed while it creates a payment intent, before or after Stripe has done so. */
export const apiKilledBeforeResponse: Scenario = {
  name: 'API killed while creating a payment intent',
  faults: 'SIGKILL before the processor gets the request, or before the API gets the response',
  runs: { long: 20, short: 2 },
  async run(system, scenarioRun) {
    const { api } = system.services;
    await injectWhileDonating(system, scenarioRun, {
      concurrency: 5,
      calls: [createsIntent],
      inject: () => api.kill(),
      recover: () => system.restart(api),
    });
  },
};
