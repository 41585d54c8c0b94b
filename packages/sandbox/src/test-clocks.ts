/** Stripe's test clocks: time that stands still for one customer, until it is turned on. */
import type { Ledger } from './ledger.ts';
import type { Customer, TestClock } from './stripe-types.ts';

/** The books by the time that counts for a customer. */
export function withTestClock(
  ledger: Ledger,
  { test_clock }: Pick<Customer, 'test_clock'>,
): Ledger {
  if (typeof test_clock !== 'string' || ledger.clock) return ledger;
  const clock = ledger.find('test_helpers.test_clock', test_clock);
  return ledger.withClock(clock.id, clock.frozen_time);
}

/** Does everything that is due by the clock on its way to where it was turned. */
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
