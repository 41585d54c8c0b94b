import type { Scenario } from '../scenario.ts';
import { createDonors, type AttemptedDonation } from '../support/donor.ts';

const CONCURRENCY = 3;
/** Longer than the lifetime of a session, which is one hour. */
const CLOCK_ADVANCE_MS = 61 * 60_000;

/** Whether the donation was paid, is on its way, or was declined by the bank. In each case the form worked. */
const hasOutcome = ({ outcome }: AttemptedDonation) =>
  ['paid', 'on its way', 'declined'].includes(outcome);

/** A donor opens the form and submits it after the session has expired. */
export const sessionExpires: Scenario = {
  name: 'session expires while the form is open',
  faults: 'the clocks of the API and the server advance by 61 minutes before the donor submits',
  runs: { long: 20, short: 2 },
  async run(system, { runs, donations, figures, progress }) {
    const { api, server } = system.services;
    for (let run = 1; run <= runs; run += 1) {
      const donors = await createDonors(system, CONCURRENCY);
      await Promise.all(donors.map((donor) => donor.open()));
      await system.setClock(CLOCK_ADVANCE_MS, api, server);
      donations.push(...(await Promise.all(donors.map((donor) => donor.donate()))));
      await system.setClock(0, api, server);
      progress(run);
    }
    figures.push(
      `${donations.filter(hasOutcome).length} of ${donations.length} donations got a new session`,
    );
  },
  check: async (_, { donations }) => {
    const failed = donations.filter((donation) => !hasOutcome(donation));
    return failed.length
      ? [`${failed.length} donors could not donate after their session had expired`]
      : [];
  },
};
