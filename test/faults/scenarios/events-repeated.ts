import type { Scenario } from '../scenario.ts';
import { crowd } from '../support/donor.ts';

const CONCURRENCY = 5;
const DUPLICATED_SHARE = 0.3;
const DELAYED_SHARE = 0.5;
const LATE_MS = 1500;
const DROPPED_SHARE = 0.1;

/** Stripe events arrive twice, late, in another order, or never. */
export const eventsRepeated: Scenario = {
  name: 'events duplicated, late and dropped',
  faults: '30 % of events sent twice, half of them up to 1.5 s late, a tenth never',
  runs: { long: 20, short: 4 },
  async run(world, { runs, donations, progress }) {
    await world.fault('duplicate_event', { rate: DUPLICATED_SHARE });
    await world.fault('reorder_event', { rate: DELAYED_SHARE, ms: LATE_MS });
    await world.fault('drop_event', { rate: DROPPED_SHARE });
    for (let run = 1; run <= runs; run += 1) {
      donations.push(
        ...(await Promise.all(crowd(world, CONCURRENCY).map((donor) => donor.give()))),
      );
      progress(run);
    }
  },
};
