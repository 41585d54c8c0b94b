import { AsyncLocalStorage } from 'node:async_hooks';

/** All attempts and pauses of a call together, and all calls that somebody waits for at once. */
const WHOLE_MS = 10_000;

const deadline = new AsyncLocalStorage<number>();

/**
 * Lets all calls to the processor that are made inside share one time limit: a donor waits for all of
 * them, not for one. What is cut short may be repeated, for its keys find what was made.
 */
export const inOneWait = <Result>(act: () => Promise<Result>, ms = WHOLE_MS): Promise<Result> =>
  deadline.run(performance.now() + ms, act);

/** When a call that begins now must have ended, as `performance.now()` counts. */
export const endOfWait = (): number => deadline.getStore() ?? performance.now() + WHOLE_MS;
