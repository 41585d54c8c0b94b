/** Stripe's test clocks: a customer's own time, which stands still until it is advanced. */
import type { Ledger } from './ledger.ts';
import type { Customer, TestClock } from './stripe-types.ts';

/** Returns the ledger with the time of the customer's test clock, if the customer has one. */
export function withTestClock(
  ledger: Ledger,
  { test_clock }: Pick<Customer, 'test_clock'>,
): Ledger {
  if (typeof test_clock !== 'string' || ledger.clockId) return ledger;
  const clock = ledger.find('test_helpers.test_clock', test_clock);
  return ledger.withClock(clock.id, clock.frozen_time);
}

/** Runs the jobs that are due until the new time of a test clock. */
export function advanceTestClock(
  ledger: Ledger,
  id: string,
  runUntil: (clock: string, to: number) => void,
) {
  const clock = ledger.find('test_helpers.test_clock', id);
  const to = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time;
  runUntil(id, to);
  const ready = { ...clock, frozen_time: to, status: 'ready', status_details: {} } as const;
  ledger.emit('test_helpers.test_clock.ready', ledger.save<TestClock>(ready));
}
