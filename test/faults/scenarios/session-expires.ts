import type { Scenario } from '../scenario.ts';
import { crowd, type AttemptedDonation } from '../support/donor.ts';

const CONCURRENCY = 3;
/** Longer than the lifetime of a session, which is one hour. */
const LATER_MS = 61 * 60_000;

/** Paid, or declined by the bank: in both cases the form worked. */
const hasOutcome = ({ told }: AttemptedDonation) => told === 'paid' || told === 'declined';

/** A donor opens the form and submits it after the session has expired. */
export const sessionExpires: Scenario = {
  name: 'the session expires mid-form',
  faults: 'an hour passes, for the API and the server, between opening the form and giving',
  runs: { long: 20, short: 2 },
  async run(world, { runs, donations, figures, progress }) {
    const { api, server } = world.services;
    for (let run = 1; run <= runs; run += 1) {
      const donors = crowd(world, CONCURRENCY);
      await Promise.all(donors.map((donor) => donor.open()));
      await world.setClock(LATER_MS, api, server);
      donations.push(...(await Promise.all(donors.map((donor) => donor.give()))));
      await world.setClock(0, api, server);
      progress(run);
    }
    figures.push(
      `${donations.filter(hasOutcome).length} of ${donations.length} gifts got a session again`,
    );
  },
  check: async (_, { donations }) => {
    const left = donations.filter((donation) => !hasOutcome(donation));
    return left.length ? [`${left.length} donors could not give after their session was over`] : [];
  },
};
