import type { Page } from 'playwright/test';

/** Returns the names of everything that a page has stored in the browser. */
export async function storedItemsOf(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...(await caches.keys()),
  ]);
  return [...cookies.map(({ name }) => name), ...stored];
}
