/** Stripe's test clocks: time that stands still for one customer, until it is turned on. */
import type { Books } from './books.ts';
import type { Customer, TestClock } from './wire.ts';

/** The books by the time that counts for a customer. */
export function inTimeOf(books: Books, { test_clock }: Pick<Customer, 'test_clock'>): Books {
  if (typeof test_clock !== 'string' || books.clock) return books;
  const clock = books.find('test_helpers.test_clock', test_clock);
  return books.by(clock.id, clock.frozen_time);
}

/** Does everything that is due by the clock on its way to where it was turned. */
export function advanceTestClock(
  books: Books,
  id: string,
  runUntil: (clock: string, to: number) => void,
) {
  const clock = books.find('test_helpers.test_clock', id);
  const to = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time;
  runUntil(id, to);
  const ready = { ...clock, frozen_time: to, status: 'ready', status_details: {} } as const;
  books.emit('test_helpers.test_clock.ready', books.save<TestClock>(ready));
}
