import type { BrowserContext } from 'playwright/test';
import { donationsOf, intentsOf } from '../../support/donations.ts';
import { expect, test, type Page } from '../support/fixtures.ts';
import { CASES } from './host-cases.ts';
import { slugOf } from './host-case.ts';
import { HostDonationPage } from './host-donor.ts';

/** The same donation on every kind of host page: `host-cases.ts`. */
for (const host of CASES) {
  test(`a donation on a page with ${host.name}`, async ({
    context,
    page,
    system,
    pages,
    monitor,
  }) => {
    const donor = new HostDonationPage(page, system);
    if (host.allowedErrors) monitor.allowErrors(host.allowedErrors);
    await page.goto(`${pages}/hosts/${slugOf(host)}`);
    await test.step('no third-party requests and nothing stored before the donor acts', async () => {
      await page.waitForLoadState('networkidle');
      const allowedOrigins = new Set([pages, system.server, 'null']);
      const requestedOrigins = monitor.requests.map((request) => new URL(request.url()).origin);
      expect(requestedOrigins.filter((origin) => !allowedOrigins.has(origin))).toEqual([]);
      expect(await storedItems(context, page)).toEqual([]);
    });
    await host.before?.(donor);
    await expect(donor.submitButton).toBeVisible();
    await donor.type();
    await host.afterTyping?.(donor);
    await donor.submitButton.click();
    await host.afterSubmit?.(donor);
    await expect(donor.thankYouHeading).toBeVisible();
    await host.after?.(donor);
    await expect
      .poll(() => donationsOf(system, donor.email))
      .toMatchObject([{ amount_cents: 10_000, donor_name: 'Ada Lovelace' }]);
    expect(await intentsOf(system, donor.email)).toHaveLength(1);
  });
}

/** Names of everything that a page has stored in the browser. */
async function storedItems(context: BrowserContext, page: Page): Promise<string[]> {
  const cookies = await context.cookies();
  const stored = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...(await caches.keys()),
  ]);
  return [...cookies.map(({ name }) => name), ...stored];
}
