import { expect, test, type Page } from '../support/fixtures.ts';

/** The component session of a page: shared use, renewal, expiry, and where its token must not be. */

const UNKNOWN_TOKEN = 'gb_cs_that_nobody_has';

/** Records the session events that the page receives, in order. */
const recordSessionEvents = (page: Page) =>
  page.addInitScript(() => {
    const sessionEvents: string[] = ((window as { heard?: string[] }).heard = []);
    for (const type of ['refreshed', 'expired']) {
      addEventListener(`connect-session-${type}`, () => sessionEvents.push(type));
    }
  });
const recordedSessionEvents = (page: Page) =>
  page.evaluate(() => (window as { heard?: string[] }).heard);

test('one session serves the page, and its token is in memory only', async ({
  platform,
  system,
  monitor,
}) => {
  const { page, donors, payouts } = platform;
  const minted = page.waitForResponse(`${system.server}/component-sessions`);
  await platform.open();
  for (const table of [donors, payouts]) await expect(table.getByRole('row').nth(1)).toBeVisible();
  const { token } = (await (await minted).json()) as { token: string };
  expect(token).toMatch(/^gb_cs_/);
  expect(monitor.to(system.server, 'POST', '/component-sessions')).toHaveLength(1);

  const storage = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const stores = [{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie];
    return JSON.stringify([stores, databases, await caches.keys(), window.name]);
  });
  const cookies = JSON.stringify(await page.context().cookies());
  const addresses = monitor.requests.map((request) => request.url()).join();
  const bodies = monitor.requests.map((request) => request.postData()).join();
  for (const text of [storage, cookies, addresses, bodies, await page.content()]) {
    expect(text).not.toContain(token);
  }
  expect(storage).toBe('[[{},{},null,""],[],[],""]');
});

test('a token that the API rejects is renewed once, and the request repeated once', async ({
  platform,
  system,
  monitor,
}) => {
  monitor.allowErrors(/status of 401/);
  const { page, donations, payouts } = platform;
  await platform.open();
  await page.goto('about:blank'); // Stops the requests of the open page.
  await recordSessionEvents(page);
  let rejectedCount = 0;
  await page.route(`${system.api_base}/donations?*`, (route) => {
    if (route.request().method() !== 'GET' || rejectedCount) return route.continue();
    rejectedCount += 1;
    const authorization = `Bearer ${UNKNOWN_TOKEN}`;
    return route.continue({ headers: { ...route.request().headers(), authorization } });
  });
  const before = monitor.to(system.server, 'POST', '/component-sessions').length;
  await platform.open();
  await expect(donations.locator('tr[data-id]').first()).toBeVisible();
  await expect(payouts.getByRole('row').nth(1)).toBeVisible();
  expect(rejectedCount).toBe(1);
  expect(await recordedSessionEvents(page)).toEqual(['refreshed']);
  expect(monitor.to(system.server, 'POST', '/component-sessions').length - before).toBe(2);
});

test('a page without permission says so once, and shows no data', async ({
  platform,
  system,
  monitor,
}) => {
  monitor.allowErrors(/status of 401/, /<connect-\w+>/);
  const { page, donations } = platform;
  await platform.open();
  await recordSessionEvents(page);
  await page.route(`${system.api_base}/**`, (route) => {
    const headers = { ...route.request().headers(), authorization: `Bearer ${UNKNOWN_TOKEN}` };
    return route.continue({ headers });
  });
  await page.reload();
  for (const table of [donations, platform.donors, platform.payouts]) {
    await expect(table.getByRole('alert')).toContainText('Your session has expired');
    await expect(table.locator('tr[data-id]')).toHaveCount(0);
  }
  expect(await recordedSessionEvents(page)).toContain('expired');
  await page.unroute(`${system.api_base}/**`);
  await donations.getByRole('button', { name: 'Try again' }).click();
  await expect(donations.getByRole('row').nth(1)).toBeVisible();
});

test('logout clears every table at once, and the next viewer starts fresh', async ({
  platform,
  monitor,
}) => {
  monitor.allowErrors(/Signed out/);
  const { page, donations, donors, payouts } = platform;
  await platform.open();
  const tables = [donations, donors, payouts];
  for (const table of tables) await expect(table.getByRole('row').nth(1)).toBeVisible();
  const provider = page.locator('connect-provider');
  const first = await provider.getAttribute('viewer-token');
  await provider.evaluate((item) => (item as HTMLElement & { logout(): void }).logout());
  for (const table of tables) {
    await expect(table.getByRole('alert')).toBeVisible();
    await expect(table.locator('tr[data-id]')).toHaveCount(0);
  }
  const next = () =>
    page.evaluate(async () => {
      const response = await fetch('/platform/viewer-token');
      return ((await response.json()) as { token: string }).token;
    });
  let token = await next(); // In the same second the token would be identical.
  await expect.poll(async () => (token = await next())).not.toBe(first);
  await provider.evaluate((item, value) => item.setAttribute('viewer-token', value), token);
  for (const table of tables) await expect(table.getByRole('row').nth(1)).toBeVisible();
});

test('ConnectEmbed.init: a page’s own session callback is called once for all tables', async ({
  platform,
  page,
  pages,
  system,
  monitor,
}) => {
  monitor.allowErrors(/Signed out/);
  await platform.open();
  const viewer = await platform.page.locator('connect-provider').getAttribute('viewer-token');
  await platform.page.close();
  await page.goto(`${pages}/bare`);
  const before = monitor.to(system.server, 'POST', '/component-sessions').length;
  await page.evaluate(
    ({ server, viewer }) => {
      const { ConnectEmbed } = window as unknown as {
        ConnectEmbed: { init(options?: object): void };
      };
      const components = ['donations', 'payouts'];
      ConnectEmbed.init({
        fetchSession: async (signal: AbortSignal) => {
          const response = await fetch(`${server}/component-sessions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${viewer}` },
            body: JSON.stringify({ components }),
            signal,
          });
          return (await response.json()) as unknown;
        },
      });
      document.body.innerHTML +=
        '<connect-donations></connect-donations><connect-payouts></connect-payouts>';
    },
    { server: system.server, viewer },
  );
  for (const tag of ['connect-donations', 'connect-payouts']) {
    await expect(page.locator(tag).getByRole('row').nth(1)).toBeVisible();
  }
  expect(monitor.to(system.server, 'POST', '/component-sessions').length - before).toBe(1);
  await page.evaluate(() =>
    (window as unknown as { ConnectEmbed: { init(): void } }).ConnectEmbed.init(),
  );
  for (const tag of ['connect-donations', 'connect-payouts']) {
    await expect(page.locator(tag).locator('tr[data-id]')).toHaveCount(0);
  }
});
