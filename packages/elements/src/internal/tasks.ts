import { formatAmount, isUsEnglish } from './format-amount.ts';
import { detectLanguage } from './detect-language.ts';

/**
 * Ends the browser's task, and goes on in one of its own, ahead of what else waits where a browser can:
 * docs/decisions/0071-every-step-a-task.md
 */
export const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: Partial<Scheduler> }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/** Does each in a task of its own, one after the other. */
export async function runAsSeparateTasks(...steps: (() => unknown)[]) {
  for (const step of steps) {
    await nextTask();
    step();
  }
}

/**
 * The first amount of a page in a language. For it a browser looks through all that it has, which is
 * longer than a task should be; what sorts words needs half of that as well, and has it looked up.
 */
export const warmUpAmountFormat = (currency: string, language: string): (() => unknown)[] => [
  () => isUsEnglish(language, currency) || Intl.Collator.supportedLocalesOf(language),
  () => formatAmount(0, currency, language),
];

/** While the form is on its way: the first layout of its outline, and the first amount in its language. */
export const warmUpRendering = (host: HTMLElement): Promise<void> =>
  runAsSeparateTasks(() => host.offsetHeight, ...warmUpAmountFormat('usd', detectLanguage(host)));
