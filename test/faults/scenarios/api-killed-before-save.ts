import type { Scenario } from '../scenario.ts';
import { injectWhileDonating } from '../support/inject-while-donating.ts';
import { retrievesIntent } from '../support/processor-calls.ts';

/**
 * The API is killed while it handles the event of a successful payment, before it writes the
 * donation.
 */
export const apiKilledBeforeSave: Scenario = {
  name: 'API killed before it saves a donation',
  faults:
    'SIGKILL while the API retrieves the intent of a successful payment, before or after the response',
  runs: { long: 20, short: 2 },
  async run(system, scenarioRun) {
    const { api } = system.services;
    await injectWhileDonating(system, scenarioRun, {
      concurrency: 5,
      calls: [retrievesIntent],
      inject: () => api.kill(),
      recover: () => system.restart(api),
    });
  },
};
