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
  name: 'events in random order',
  faults:
    'the events of a donation, two refunds and a lost dispute arrive in random order, 30 % twice',
  runs: { long: 500, short: 24 },
  // Without reconciliation: events alone must lead to the correct state.
  system: { hasWorker: true, sendsEvents: false },
  async run(system, { runs, figures, progress }) {
    const finalStates = new Set<string>();
    let deliveredCount = 0;
    for (let done = 0; done < runs; done += CONCURRENCY) {
      const sequences = Array.from({ length: Math.min(CONCURRENCY, runs - done) }, () => {
        return new PermutedEvents(system);
      });
      await Promise.all(sequences.map((sequence) => sequence.run()));
      deliveredCount += sequences.reduce((sum, { deliveredCount }) => sum + deliveredCount, 0);
      progress(Math.min(runs, done + CONCURRENCY));
    }
    for await (const donation of system.auditor.all('donations', { limit: 100 })) {
      finalStates.add(JSON.stringify(finalStateOf(donation)));
    }
    figures.push(
      `${deliveredCount} events delivered, final states (${finalStates.size}): ${[...finalStates].join(' or ')}`,
    );
    await system.worker!.start();
  },
  async check(_system, { figures }) {
    return figures.some((figure) => /final states \(1\)/.test(figure))
      ? []
      : ['the final states differ'];
  },
};

const finalStateOf = (donation: Donation): DonationState => {
  const { amount_cents, net_amount_cents, refund_status, dispute_status } = donation;
  const { refunded_amount_cents } = donation;
  return { amount_cents, net_amount_cents, refund_status, refunded_amount_cents, dispute_status };
};
