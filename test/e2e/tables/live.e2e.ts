import type { Locator, Request } from 'playwright/test';
import { DonatePage } from '../support/donate-page.ts';
import { newEmail } from '../support/fixtures.ts';
import { startBreakableProxy } from './breakable-proxy.ts';
import { expect, providerTag, test as base } from './embedded-tables.ts';

/** Makes a donation in another browser context, whose network is independent of the platform's page. */
const test = base.extend<{ donateElsewhere: () => Promise<string> }>({
  donateElsewhere: async ({ browser, system, monitor }, use) => {
    await use(async () => {
      const context = await browser.newContext();
      const donor = new DonatePage(await context.newPage(), system, monitor);
      const name = `Wanda ${newEmail().slice(6, 14)}`;
      await donor.open();
      await donor.fill({ email: newEmail(), name });
      await donor.submitButton.click();
      await donor.expectThanks();
      await context.close();
      return name;
    });
  },
});

const rowsOf = (table: Locator, name: string) =>
  table.locator('tr[data-id]').filter({ hasText: name });

test('without a stream the tables poll, and a donation still appears', async ({
  platform,
  donateElsewhere,
  monitor,
}) => {
  monitor.allowErrors(/ERR_FAILED/);
  const { page, donations, donors } = platform;
  await page.route('**/api/v1/live?*', (route) => route.abort('failed'));
  await platform.open();
  const name = await donateElsewhere();
  await expect(rowsOf(donations, name)).toHaveCount(1);
  await expect(rowsOf(donors, name)).toHaveCount(1);
});

test('an interrupted stream resumes where it ended, without lost or duplicate events', async ({
  page,
  system,
  embed,
  donateElsewhere,
  monitor,
}) => {
  monitor.allowErrors(/Failed to load resource|ERR_/);
  const line = await startBreakableProxy(system.api_base);
  const api = system.api_base.replace(new URL(system.api_base).origin, line.url);
  const streams: Request[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(`${api}/live`)) streams.push(request);
  });
  // The session's `api_base` is replaced by the proxy that can interrupt connections.
  await page.route(`${system.server}/component-sessions`, async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as object;
    await route.fulfill({ response: response, json: { ...session, api_base: api } });
  });
  const opened = page.waitForResponse((response) => response.url().startsWith(`${api}/live`));
  await embed(
    providerTag(system.server, '<connect-donations live refresh-seconds="0"></connect-donations>'),
  );
  await opened;
  const donations = page.locator('connect-donations');
  const before = await donateElsewhere();
  await expect(rowsOf(donations, before)).toHaveCount(1);

  line.cut();
  const meanwhile = await donateElsewhere();
  await expect(rowsOf(donations, meanwhile)).toHaveCount(0);
  line.restore();
  await expect(rowsOf(donations, meanwhile)).toHaveCount(1);
  expect(await streams.at(-1)!.headerValue('last-event-id')).toMatch(/\S/);
  const after = await donateElsewhere();
  for (const name of [before, meanwhile, after]) {
    await expect(rowsOf(donations, name)).toHaveCount(1);
  }
  const ids = await donations
    .locator('tr[data-id]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));
  expect(new Set(ids).size).toBe(ids.length);
  await page.close();
  await line.close();
});

test('a donation changes neither the focused row nor the scroll position', async ({
  platform,
  donateElsewhere,
}) => {
  const { page, donations, payouts } = platform;
  const open = page.waitForResponse((response) =>
    response.url().endsWith('/live?components=donations,donors,payouts'),
  );
  await platform.open();
  await open;
  await expect(donations.locator('.chart svg.bar').first()).toBeVisible();
  const read = payouts.getByRole('row').nth(1);
  await read.getByRole('button').focus();
  await read.scrollIntoViewIfNeeded();
  const rowTop = () => read.evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await rowTop();
  const name = await donateElsewhere();
  await expect(rowsOf(donations, name)).toHaveCount(1);
  await expect(read.getByRole('button')).toBeFocused();
  await expect.poll(rowTop).toBe(before);
});
