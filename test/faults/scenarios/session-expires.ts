import type { Scenario } from '../scenario.ts';
import { crowd, type Gift } from '../support/donor.ts';

const AT_ONCE = 3;
/** Sessions last one hour. */
const LATER_MS = 61 * 60_000;

/** Paid, or declined by the bank: either way the form went on working. */
const isAnswered = ({ told }: Gift) => told === 'paid' || told === 'declined';

/** A donor opens the form, is called away, and gives when the session is long over. */
export const sessionExpires: Scenario = {
  name: 'the session expires mid-form',
  faults: 'an hour passes, for the API and the server, between opening the form and giving',
  runs: { long: 20, short: 2 },
  async run(world, { runs, gifts, figures, progress }) {
    const { api, server } = world.rooms;
    for (let run = 1; run <= runs; run += 1) {
      const donors = crowd(world, AT_ONCE);
      await Promise.all(donors.map((donor) => donor.open()));
      await world.setClock(LATER_MS, api, server);
      gifts.push(...(await Promise.all(donors.map((donor) => donor.give()))));
      await world.setClock(0, api, server);
      progress(run);
    }
    figures.push(`${gifts.filter(isAnswered).length} of ${gifts.length} gifts got a session again`);
  },
  check: async (_, { gifts }) => {
    const left = gifts.filter((gift) => !isAnswered(gift));
    return left.length ? [`${left.length} donors could not give after their session was over`] : [];
  },
};
