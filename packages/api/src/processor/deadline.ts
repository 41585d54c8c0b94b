import { AsyncLocalStorage } from 'node:async_hooks';

/** All attempts and pauses of a call together, and all calls that somebody waits for at once. */
const TOTAL_TIMEOUT_MS = 10_000;

const deadline = new AsyncLocalStorage<number>();

/**
 * Lets all calls to the processor that are made inside share one time limit: a donor waits for all of
 * them, not for one. What is cut short may be repeated, for its keys find what was made.
 */
export const withDeadline = <Result>(
  operation: () => Promise<Result>,
  ms = TOTAL_TIMEOUT_MS,
): Promise<Result> => deadline.run(performance.now() + ms, operation);

/** When a call that begins now must have ended, as `performance.now()` counts. */
export const currentDeadline = (): number =>
  deadline.getStore() ?? performance.now() + TOTAL_TIMEOUT_MS;
