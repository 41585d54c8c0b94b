import type { Scenario } from '../scenario.ts';
import { crowd } from '../support/donor.ts';

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
  name: 'the clock is wrong by ± 10 minutes, and by 25 hours',
  faults: 'the API, the server, or both, get another time while people have the form open',
  runs: { long: 21, short: 3 },
  async run(world, { runs, donations, progress }) {
    const { api, server } = world.services;
    for (let run = 1; run <= runs; run += 1) {
      const donors = crowd(world, CONCURRENCY);
      await Promise.all(donors.map((donor) => donor.open()));
      const offset = OFFSETS[run % OFFSETS.length]!;
      const rooms = world.random.pick([[api], [api, server]]);
      await world.setClock(offset, ...rooms);
      donations.push(...(await Promise.all(donors.map((donor) => donor.give()))));
      await world.setClock(0, ...rooms);
      progress(run);
    }
  },
};
