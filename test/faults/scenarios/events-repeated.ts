import type { Scenario } from '../scenario.ts';
import { crowd } from '../support/donor.ts';

const AT_ONCE = 5;
const REPEATED = 0.3;
const LATE = 0.5;
const LATE_MS = 1500;
const DROPPED = 0.1;

/** What the processor tells comes twice, late, in another order, or never. */
export const eventsRepeated: Scenario = {
  name: 'events duplicated, late and dropped',
  faults: '30 % of events sent twice, half of them up to 1.5 s late, a tenth never',
  runs: { long: 20, short: 4 },
  async run(world, { runs, gifts, progress }) {
    await world.fault('duplicate_event', { rate: REPEATED });
    await world.fault('reorder_event', { rate: LATE, ms: LATE_MS });
    await world.fault('drop_event', { rate: DROPPED });
    for (let run = 1; run <= runs; run += 1) {
      gifts.push(...(await Promise.all(crowd(world, AT_ONCE).map((donor) => donor.give()))));
      progress(run);
    }
  },
};
