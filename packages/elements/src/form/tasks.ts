import { formatAmount, isUsEnglish } from './format-amount.ts';

/**
 * Ends the current task of the browser and continues in a new one, with priority over other queued
 * tasks if the browser supports `scheduler.yield`: docs/decisions/0067-layout-shift-and-long-tasks.md
 */
export const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: Partial<Scheduler> }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/**
 * Loads the browser's locale data for formatting amounts in a language. Loading takes longer than one
 * task should; `Intl.Collator` needs half of the same data, so loading it first splits the work.
 */
export async function loadAmountFormat(currency: string, language: string) {
  if (isUsEnglish(language, currency)) return; // Formatted without `Intl`.
  await nextTask();
  Intl.Collator.supportedLocalesOf(language);
  await nextTask();
  formatAmount(0, currency, language);
}
