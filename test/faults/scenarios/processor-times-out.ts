import type { Scenario } from '../scenario.ts';
import { crowd } from '../support/donor.ts';

const CONCURRENCY = 3;
const PATH = '/v1/payment_intents';

/** The processor executes a request, but its response is lost. */
export const processorTimesOut: Scenario = {
  name: 'the processor times out, and then succeeds',
  faults: 'the processor does the work and never answers, or breaks the line, or does neither',
  runs: { long: 20, short: 2 },
  async run(world, { runs, donations, progress }) {
    for (let run = 1; run <= runs; run += 1) {
      const name = world.random.pick(['timeout', 'lost_answer', 'reset', 'server_error']);
      await world.fault(name, { count: 2, path: PATH });
      donations.push(
        ...(await Promise.all(crowd(world, CONCURRENCY).map((donor) => donor.give()))),
      );
      await world.faultsOff();
      progress(run);
    }
  },
};
