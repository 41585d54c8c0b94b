import { aTimeout, nextFrame } from '@open-wc/testing';

/**
 * Waits until everything that has begun by now has happened: promises, the fake server's responses, timers
 * of 0 ms, rendering and what observers of the layout do. For a test in which nothing may happen, if no
 * event of the page comes after it. It waits for neither a module that is not loaded yet nor a delay.
 */
export async function untilQuiet(): Promise<void> {
  await nextFrame();
  await nextFrame();
  await aTimeout(0);
}
