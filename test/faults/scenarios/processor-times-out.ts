import type { Scenario } from '../scenario.ts';
import { createDonors } from '../support/donor.ts';

const CONCURRENCY = 3;
const PATH = '/v1/payment_intents';

/** The processor executes a request, but its response is lost. */
export const processorTimesOut: Scenario = {
  name: 'processor requests time out or fail',
  faults: 'the response is lost after a payment request succeeded, or the request fails',
  runs: { long: 20, short: 2 },
  async run(system, { runs, donations, progress }) {
    for (let run = 1; run <= runs; run += 1) {
      const name = system.random.pick(['timeout', 'lost_response', 'reset', 'server_error']);
      await system.fault(name, { count: 2, path: PATH });
      const donors = await createDonors(system, CONCURRENCY);
      donations.push(...(await Promise.all(donors.map((donor) => donor.donate()))));
      await system.faultsOff();
      progress(run);
    }
  },
};
