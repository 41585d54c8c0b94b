import type { Scenario } from '../scenario.ts';
import { createDonors } from '../support/donor.ts';

const CONCURRENCY = 5;
const DUPLICATED_SHARE = 0.3;
const DELAYED_SHARE = 0.5;
const MAX_DELAY_MS = 1500;
const DROPPED_SHARE = 0.1;

/** Stripe events arrive twice, late, in another order, or never. */
export const eventsRepeated: Scenario = {
  name: 'events duplicated, delayed and dropped',
  faults: '30 % of Stripe events are sent twice, 50 % up to 1.5 s late, and 10 % never',
  runs: { long: 20, short: 4 },
  async run(system, { runs, donations, progress }) {
    await system.fault('duplicate_event', { rate: DUPLICATED_SHARE });
    await system.fault('reorder_event', { rate: DELAYED_SHARE, ms: MAX_DELAY_MS });
    await system.fault('drop_event', { rate: DROPPED_SHARE });
    for (let run = 1; run <= runs; run += 1) {
      const donors = await createDonors(system, CONCURRENCY);
      donations.push(...(await Promise.all(donors.map((donor) => donor.donate()))));
      progress(run);
    }
  },
};
