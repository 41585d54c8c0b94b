import type { BrowserContext } from 'playwright/test';
import { donationsOf, intentsOf } from '../../support/gifts.ts';
import { expect, test, type Page } from '../support/fixtures.ts';
import { CASES } from './cases.ts';
import { slugOf } from './host-case.ts';
import { HostDonor } from './host-donor.ts';

/** The same gift on every kind of page that the form may meet: `cases.ts`. */
for (const host of CASES) {
  test(`a gift on a page with ${host.name}`, async ({ context, page, house, pages, watch }) => {
    const donor = new HostDonor(page, house);
    if (host.told) watch.allow(host.told);
    await page.goto(`${pages}/hosts/${slugOf(host)}`);
    await test.step('nothing is asked of others, and nothing kept, before the donor acts', async () => {
      await page.waitForLoadState('networkidle');
      const own = new Set([pages, house.server, 'null']);
      const asked = watch.requests.map((request) => new URL(request.url()).origin);
      expect(asked.filter((origin) => !own.has(origin))).toEqual([]);
      expect(await kept(context, page)).toEqual([]);
    });
    await host.before?.(donor);
    await expect(donor.give).toBeVisible();
    await donor.type();
    await host.typed?.(donor);
    await donor.give.click();
    await host.pressed?.(donor);
    await expect(donor.thanks).toBeVisible();
    await host.after?.(donor);
    await expect
      .poll(() => donationsOf(house, donor.email))
      .toMatchObject([{ amount_cents: 10_000, donor_name: 'Ada Lovelace' }]);
    expect(await intentsOf(house, donor.email)).toHaveLength(1);
  });
}

/** What a page has left in the browser. */
async function kept(context: BrowserContext, page: Page): Promise<string[]> {
  const cookies = await context.cookies();
  const stored = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...(await caches.keys()),
  ]);
  return [...cookies.map(({ name }) => name), ...stored];
}
