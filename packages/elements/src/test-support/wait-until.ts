import { waitUntil as libraryWaitUntil } from '@open-wc/testing';

/** Long enough for a busy machine; whatever holds sooner ends the wait. */
const WAIT_OPTIONS = { timeout: 30_000, interval: 10 };

/**
 * Waits until something holds. The library's own gives up after a second, which a slow machine may
 * need to draw a form.
 *
 * @param what what is waited for, as a failure shall name it
 */
export const waitUntil = (holds: () => unknown, what = `${holds}`): Promise<void> =>
  libraryWaitUntil(holds, what, WAIT_OPTIONS);
