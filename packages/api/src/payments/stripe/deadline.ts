import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Time limit for all attempts and delays of one call to Stripe, or of all calls within one
 * `withDeadline`.
 */
const TOTAL_TIMEOUT_MS = 10_000;

const deadline = new AsyncLocalStorage<number>();

/**
 * Runs an operation whose calls to Stripe share one time limit, because a donor waits for all of
 * them. An interrupted operation can be repeated: its idempotency keys return the objects that were
 * already created.
 */
export const withDeadline = <Result>(
  operation: () => Promise<Result>,
  ms = TOTAL_TIMEOUT_MS,
): Promise<Result> => deadline.run(performance.now() + ms, operation);

/** Returns the time at which a call that starts now must have ended, on the clock of `performance.now()`. */
export const currentDeadline = (): number =>
  deadline.getStore() ?? performance.now() + TOTAL_TIMEOUT_MS;
