import { expect, type Page } from 'playwright/test';

type WindowWithShifts = typeof globalThis & { shifts: number[] };

/** Records layout shifts from the next page load on. */
export const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = ((window as unknown as WindowWithShifts).shifts = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The sum of all layout shifts since the page load. */
export async function totalShift(page: Page): Promise<number> {
  const shifts = await page.evaluate(() => (window as unknown as WindowWithShifts).shifts);
  return shifts.reduce((sum, value) => sum + value, 0);
}

/** Prints the layout shift since the page load; expects 0. */
export async function expectNoShift(page: Page, where: string): Promise<void> {
  const total = await totalShift(page);
  console.log(`layout shift of ${where}: ${total.toFixed(4)}, budget 0`);
  expect(total, where).toBe(0);
}
