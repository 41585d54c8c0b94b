import type { Donation } from '@connect-embed/contract';
import type { Scenario } from '../scenario.ts';
import { PermutedEvents, type DonationState } from '../support/permuted-events.ts';

/** Event sequences that are sent at the same time, each in its own order. */
const CONCURRENCY = 4;

/**
 * Sends the same sequence of Stripe events in another order each time, some of them twice or
 * concurrently.
 */
export const eventsPermuted: Scenario = {
  name: 'events permuted',
  faults: 'a gift, two refunds and a lost dispute, told in any order while they happen, 30 % twice',
  runs: { long: 500, short: 24 },
  // Without reconciliation: events alone must lead to the correct state.
  world: { worker: true, reports: false },
  async run(world, { runs, figures, progress }) {
    const endStates = new Set<string>();
    let told = 0;
    for (let done = 0; done < runs; done += CONCURRENCY) {
      const stories = Array.from({ length: Math.min(CONCURRENCY, runs - done) }, () => {
        return new PermutedEvents(world);
      });
      await Promise.all(stories.map((story) => story.play()));
      told += stories.reduce((sum, story) => sum + story.told, 0);
      progress(Math.min(runs, done + CONCURRENCY));
    }
    for await (const donation of world.auditor.all('donations', { limit: 100 })) {
      endStates.add(JSON.stringify(endStateOf(donation)));
    }
    figures.push(
      `${told} events told, ${endStates.size} end state: ${[...endStates].join(' or ')}`,
    );
    await world.worker!.start();
  },
  async check(_world, { figures }) {
    return figures.some((figure) => / 1 end state/.test(figure)) ? [] : ['the end states differ'];
  },
};

const endStateOf = (donation: Donation): DonationState => {
  const { amount_cents, net_amount_cents, refund_status, dispute_status } = donation;
  const { refunded_amount_cents } = donation;
  return { amount_cents, net_amount_cents, refund_status, refunded_amount_cents, dispute_status };
};
