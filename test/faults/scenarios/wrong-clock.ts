import type { Scenario } from '../scenario.ts';
import { createDonors } from '../support/donor.ts';

const CONCURRENCY = 3;
const MINUTES = 60_000;
const OFFSETS = [-10 * MINUTES, 10 * MINUTES, 25 * 60 * MINUTES];

/**
 * The clock of one service, or of all, is changed while donors have the form open.
 *
 * If the API's clock differs by ten minutes, the timestamp of every event's signature is too old or
 * in the future, so payments are found by reconciliation only.
 */
export const wrongClock: Scenario = {
  name: 'clock wrong by 10 minutes or 25 hours',
  faults:
    'the clock of the API, or of the API and the server, changes while donors have the form open',
  runs: { long: 21, short: 3 },
  async run(system, { runs, donations, progress }) {
    const { api, server } = system.services;
    for (let run = 1; run <= runs; run += 1) {
      const donors = await createDonors(system, CONCURRENCY);
      await Promise.all(donors.map((donor) => donor.open()));
      const offset = OFFSETS[run % OFFSETS.length]!;
      const services = system.random.pick([[api], [api, server]]);
      await system.setClock(offset, ...services);
      donations.push(...(await Promise.all(donors.map((donor) => donor.donate()))));
      await system.setClock(0, ...services);
      progress(run);
    }
  },
};
