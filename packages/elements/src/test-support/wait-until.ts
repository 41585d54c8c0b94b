import { waitUntil as libraryWaitUntil } from '@open-wc/testing';

/** Long enough for a slow machine. The wait ends as soon as the condition is true. */
const WAIT_OPTIONS = { timeout: 30_000, interval: 10 };

/**
 * Waits until a condition is true. The library's default timeout of one second is too short on a
 * slow machine.
 *
 * @param what description of the condition, for the error message
 */
export const waitUntil = (holds: () => unknown, what = `${holds}`): Promise<void> =>
  libraryWaitUntil(holds, what, WAIT_OPTIONS);
