import { donationsOf } from '../support/donations.ts';
import { measurePageLoad } from '../budgets/page-load.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/**
 * `connect.js?form=gala` returns script and form in one response:
 * docs/decisions/0014-element-bundles.md
 */

test('a form named in the script URL renders without another request', async ({
  page,
  system,
  pages,
}) => {
  // An earlier visitor: if preparing the response takes longer than 500 ms, the first one gets the plain script.
  await page.goto(`${pages}/whole`);
  await page.waitForLoadState('networkidle');
  const { bytes, ...arrival } = await measurePageLoad(page, `${pages}/whole`, system.server);
  expect(bytes, 'also after it is drawn').toBeLessThan(14_200);
  expect(arrival).toEqual({
    ...{ requests: 1, roundTrips: 1, roundTripsAfterScript: 0 },
    ...{ foreign: [], storedItems: [] },
  });
  await expect(page.locator('connect-donate').getByRole('button', { name: /^Give/ })).toBeVisible();
});

test('a donation with it, under a strict policy and trusted types', async ({
  donate,
  system,
  pages,
  monitor,
}) => {
  const email = newEmail();
  await donate.open(`${pages}/whole`);
  await donate.fill({ email, amount: '$150' });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(monitor.to(system.server, 'GET', '/embed-form?form=gala')).toEqual([]);
  expect(monitor.to(system.server, 'POST', '/embed-sessions?form=gala')).toHaveLength(1);
});

test('its page may have more forms and scripts: other forms are requested by themselves', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  await page.goto(`${pages}/whole-and-more`);
  for (const form of await page.locator('connect-donate').all()) {
    await expect(form.getByRole('button', { name: /^Give/ })).toBeVisible();
  }
  await page.waitForLoadState('networkidle');
  expect(monitor.to(system.server, 'GET', '/embed-form?form=gala')).toEqual([]);
  expect(monitor.to(system.server, 'GET', '/embed-form')).toHaveLength(1);
  const bundles = monitor.requests.filter((item) => /\/(donate|tables|all)-/.test(item.url()));
  expect(bundles.map((item) => item.url())).toEqual([]);
});

test('a form behind a button is there when it is opened', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  await page.goto(`${pages}/whole-button`);
  await page.locator('connect-donate').getByRole('button', { name: 'Give' }).click();
  const dialog = page.locator('connect-donate').getByRole('dialog');
  await expect(dialog.getByRole('button', { name: /^Give/ })).toBeVisible();
  expect(monitor.to(system.server, 'GET', '/embed-form?form=gala')).toEqual([]);
});

test('an unknown form name is reported by the tag as usual', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/status of 404/, /connect-donate.*nowhere/s);
  await page.goto(`${pages}/whole-nowhere`);
  await expect(page.locator('connect-donate').getByRole('alert')).toContainText(/not available/);
  expect(monitor.to(system.server, 'GET', '/embed-form?form=nowhere')).toHaveLength(1);
});

test('tables on the same page reuse its renderer', async ({ page, pages, platform, monitor }) => {
  await platform.open();
  const viewer = await platform.page.locator('connect-provider').getAttribute('viewer-token');
  await platform.page.close();
  const before = monitor.requests.length;
  await page.goto(`${pages}/whole`);
  await expect(page.locator('connect-donate').getByRole('button', { name: /^Give/ })).toBeVisible();
  await page.evaluate((token) => {
    const table = document.createElement('connect-donations');
    table.setAttribute('viewer-token', token);
    document.body.append(table);
  }, viewer!);
  await expect(page.locator('connect-donations').getByRole('row').nth(1)).toBeVisible();
  await page.waitForLoadState('networkidle');
  const bundles = monitor.requests
    .slice(before)
    .flatMap((item) => /\/((donate|tables|all)(-\w+)*)-[\w-]{6}\.js/.exec(item.url())?.[1] ?? []);
  expect(bundles).toEqual(['tables-with-form']);
});
