import type { Page } from 'playwright/test';
import { donationsOf, intentsOf } from '../support/gifts.ts';
import { expect, newEmail, test } from './support/fixtures.ts';
import { PlatformPage } from './support/platform-page.ts';

/** Pages as their owners have them: strict, careless, and with everything pasted twice. */

test('the script pasted twice is the script pasted once', async ({ donate, house, pages }) => {
  const email = newEmail();
  await donate.open(`${pages}/twice`);
  await donate.fill({ email });
  await donate.give.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(house, email)).toHaveLength(1);
  expect(await intentsOf(house, email)).toHaveLength(1);
});

test('a page with a strict policy and trusted types takes a gift without a complaint', async ({
  donate,
  house,
  pages,
}) => {
  const email = newEmail();
  await donate.open(`${pages}/strict`);
  await donate.fill({ email });
  await donate.give.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(house, email)).toHaveLength(1);
});

test('nothing of others is fetched before the donor acts', async ({ donate, house, watch }) => {
  await donate.open();
  await donate.page.waitForLoadState('networkidle');
  const own = new Set([house.site, house.server]);
  const foreign = watch.requests.map((request) => new URL(request.url()).origin);
  expect(foreign.filter((origin) => !own.has(origin))).toEqual([]);
});

test('nothing on the page moves while the form comes', async ({ page, house }) => {
  await watchShifts(page);
  for (const width of [1280, 900, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(house.site);
    await expect(
      page.locator('connect-donate').getByRole('button', { name: /^Give/ }),
    ).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await totalShift(page, `the nonprofit's page at ${width} px`)).toBe(0);
  }
});

test('nothing on the page moves while the tables come', async ({ page, house }) => {
  const platform = new PlatformPage(page, house);
  await platform.open();
  await watchShifts(page);
  for (const width of [1280, 900, 720, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    for (const table of [platform.donations, platform.donors, platform.payouts]) {
      await expect(table.getByRole('row').nth(1)).toBeVisible();
    }
    expect(await totalShift(page, `the platform's page at ${width} px`)).toBe(0);
  }
});

/** Keeps how far things moved, from the next load on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = ((window as unknown as { shifts: number[] }).shifts = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

async function totalShift(page: Page, where: string): Promise<number> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  const total = shifts.reduce((sum, value) => sum + value, 0);
  console.log(`layout shift of ${where}: ${total.toFixed(4)}, budget 0`);
  return total;
}
