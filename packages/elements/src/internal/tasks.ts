import { amountText } from './dollars.ts';
import { languageOf } from './language-of.ts';

/**
 * Ends the browser's task, and goes on in one of its own, ahead of what else waits where a browser can:
 * docs/decisions/0071-every-step-a-task.md
 */
export const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: Partial<Scheduler> }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/** Does each in a task of its own, one after the other. */
export async function inTasks(...steps: (() => unknown)[]) {
  for (const step of steps) {
    await nextTask();
    step();
  }
}

/**
 * While the form is on its way: the first layout of its outline, and the first amount in its language,
 * for which a browser looks through all that it has.
 */
export const makeReady = (host: HTMLElement): Promise<void> =>
  inTasks(
    () => host.offsetHeight,
    () => amountText(0, 'usd', languageOf(host)),
  );
