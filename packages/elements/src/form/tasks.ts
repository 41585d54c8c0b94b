import { formatAmount, isUsEnglish } from './format-amount.ts';

/**
 * Ends the current task of the browser and continues in a new one, with priority over other queued
 * tasks if the browser supports `scheduler.yield`: docs/decisions/0067-layout-shift-and-long-tasks.md
 */
const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: Partial<Scheduler> }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/** Runs each step in a separate task, one after the other. */
export async function runAsSeparateTasks(...steps: (() => unknown)[]) {
  for (const step of steps) {
    await nextTask();
    await step();
  }
}

/**
 * Steps that load the browser's locale data for formatting amounts in a language. Loading takes
 * longer than one task should; `Intl.Collator` needs half of the same data, so loading it first
 * splits the work.
 */
export const warmUpAmountFormat = (currency: string, language: string): (() => unknown)[] => [
  () => isUsEnglish(language, currency) || Intl.Collator.supportedLocalesOf(language),
  () => formatAmount(0, currency, language),
];
