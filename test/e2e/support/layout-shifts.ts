import { expect, type Page } from 'playwright/test';

type WindowWithShifts = typeof globalThis & { shifts: { value: number; moved: string }[] };

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** Records layout shifts from the next page load on. */
export const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: WindowWithShifts['shifts'] = [];
    (window as unknown as WindowWithShifts).shifts = shifts;
    const describe = ({ node, previousRect: from, currentRect: to }: LayoutShift['sources'][0]) =>
      `${node?.nodeName} ${(node as Element | null)?.className}: ${from.top} to ${to.top} px, height ${from.height} to ${to.height} px`;
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        shifts.push({ value, moved: sources.map(describe).join(', ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The sum of all layout shifts since the page load. */
export async function totalShift(page: Page): Promise<number> {
  const shifts = await page.evaluate(() => (window as unknown as WindowWithShifts).shifts);
  for (const { value, moved } of shifts) console.error(`layout shift ${value}: ${moved}`);
  return shifts.reduce((sum, { value }) => sum + value, 0);
}

/** Prints the layout shift since the page load; expects 0. */
export async function expectNoShift(page: Page, where: string): Promise<void> {
  const total = await totalShift(page);
  console.log(`layout shift of ${where}: ${total.toFixed(4)}, budget 0`);
  expect(total, where).toBe(0);
}
