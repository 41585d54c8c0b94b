import { amountText, isPlain } from './dollars.ts';
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
 * The first amount of a page in a language. For it a browser looks through all that it has, which is
 * longer than a task should be; what sorts words needs half of that as well, and has it looked up.
 */
export const firstAmount = (currency: string, language: string): (() => unknown)[] => [
  () => isPlain(language, currency) || Intl.Collator.supportedLocalesOf(language),
  () => amountText(0, currency, language),
];

/** While the form is on its way: the first layout of its outline, and the first amount in its language. */
export const makeReady = (host: HTMLElement): Promise<void> =>
  inTasks(() => host.offsetHeight, ...firstAmount('usd', languageOf(host)));
