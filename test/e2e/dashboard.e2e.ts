import { join } from 'node:path';
import { expectAccessible } from './support/expect-accessible.ts';
import { OWNER, VOLUNTEER } from './support/dashboard-pages.ts';
import { expect, test } from './support/fixtures.ts';

/** An image of the documentation stands for a logo. */
const LOGO = join(import.meta.dirname, '../../docs/images/goal-light.png');

/** Every list in the navigation or linked from one, and the page of its first row. */
for (const path of [
  '/donations',
  '/donations/refunds',
  '/donations/disputes',
  '/plans',
  '/donors',
  '/payouts',
  '/campaigns',
  '/funds',
  '/events',
]) {
  test(`the list ${path} and its first row`, async ({ dashboard, page }) => {
    await dashboard.signIn();
    await dashboard.open(path);
    await expectAccessible(page, path);
    await dashboard.openFirstRow();
    await expectAccessible(page, `one of ${path}`);
  });
}

test('the donations list fits a tablet without horizontal scrolling', async ({
  dashboard,
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1800 }); // Both tables are in view.
  await dashboard.signIn();
  await dashboard.open('/donations');
  const amounts = page.getByRole('columnheader', { name: 'Amount' });
  await expect(amounts).toHaveCount(2);
  for (const amount of await amounts.all()) {
    await expect(amount).toBeInViewport({ ratio: 1 });
  }
});

test('totals that are not known stay within their tiles, in one row', async ({
  dashboard,
  page,
}) => {
  await dashboard.signIn();
  await dashboard.open('/donations');
  const tiles = page.getByRole('region', { name: 'Totals' }).locator('dl').first().locator('div');
  // The demo has no donation whose fee is unknown.
  await tiles.evaluateAll((all) => {
    for (const tile of all)
      if (/Fee|Net/.test(tile.textContent)) tile.querySelector('dd')!.textContent = 'Not all known';
  });
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await tiles.evaluateAll((all) =>
      all.map((tile) => ({
        top: tile.getBoundingClientRect().top,
        sticksOut: tile.scrollWidth > tile.clientWidth,
      })),
    );
    expect(boxes.filter(({ sticksOut }) => sticksOut)).toEqual([]);
    if (width === 1280) expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
  }
});

test('the receipt settings', async ({ dashboard, page }) => {
  await dashboard.signIn();
  await dashboard.open('/receipts');
  await expect(page.getByText('Keep this email as your receipt.')).toBeVisible();
  await expectAccessible(page, 'what receipts say');
});

test('name and logo: upload and remove a logo', async ({ dashboard, page }) => {
  await dashboard.signIn();
  await dashboard.open('/organization');
  await page.getByRole('link', { name: 'Add a logo' }).click();
  await expectAccessible(page, 'the upload of a logo');
  await page.getByLabel('Image').setInputFiles(LOGO);
  await page.getByRole('button', { name: 'Upload' }).click();
  const logo = page.getByRole('img', { name: 'Logo of Harbor Street Food Bank' });
  await expect(logo).toHaveJSProperty('complete', true);
  await expect(logo).not.toHaveJSProperty('naturalWidth', 0);
  await expectAccessible(page, 'name and logo');
  await page.getByRole('button', { name: 'Remove logo' }).click();
  await expect(page.getByText('Logo removed.')).toBeVisible();
});

test('the home page and the account page', async ({ dashboard, page }) => {
  await dashboard.signIn();
  await expect(page.getByRole('heading', { name: 'Recent donations' })).toBeVisible();
  await expectAccessible(page, 'the first page');
  await dashboard.open('/dashboard/account');
  await expectAccessible(page, 'the account');
});

test('the home page of a member without permissions', async ({ dashboard, page, monitor }) => {
  monitor.allowErrors(/status of 403/);
  await dashboard.signIn(VOLUNTEER);
  await expectAccessible(page, "a member's first page");
  await page.goto(`${page.url()}/donations`);
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await expectAccessible(page, 'a page that is not open');
});

test('team: invite by link, accept, remove', async ({ dashboard, page, browser }) => {
  test.slow(); // Seven pages with four accessibility checks each.
  await dashboard.signIn();
  await dashboard.open('/team');
  await page.getByRole('link', { name: 'Invite team member' }).click();
  await expectAccessible(page, 'an invitation');
  const email = `team-${crypto.randomUUID()}@example.org`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: /^Admin/ }).check();
  await page.getByRole('checkbox', { name: 'See donations' }).check();
  await page.getByRole('button', { name: 'Invite' }).click();
  await expectAccessible(page, 'the team with an invitation');
  const link = await page.getByLabel(`Link for ${email}`).inputValue();
  await page.reload();
  await expect(page.getByLabel(`Link for ${email}`)).toHaveCount(0);

  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expectAccessible(other, 'the invitation as it is read');
  await other.getByLabel('Your name').fill('Ines Duarte');
  await other.getByLabel('Password').fill('four words of hers');
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByRole('heading', { name: 'Recent donations' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Payouts' })).toHaveCount(0);

  await dashboard.open('/team');
  await page.getByRole('link', { name: 'Edit Ines Duarte' }).click();
  await expectAccessible(page, 'a member');
  await dashboard.open('/team');
  await page.getByRole('link', { name: 'Remove Ines Duarte' }).click();
  await expectAccessible(page, 'the question before a removal');
  await page.getByRole('button', { name: 'Remove Ines Duarte' }).click();
  await expect(page.getByRole('status')).toContainText('no longer on the team');
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await other.context().close();
});

for (const path of ['/api-keys', '/connected-apps', '/dashboard/apps']) {
  test(`the page ${path}`, async ({ dashboard, page }) => {
    await dashboard.signIn();
    await dashboard.open(path);
    await expectAccessible(page, path);
  });
}

test('a webhook endpoint from creation to deletion, by keyboard', async ({ dashboard, page }) => {
  test.slow(); // Nine pages with four accessibility checks each.
  await dashboard.signIn();
  await dashboard.open('/webhooks/new');
  await expectAccessible(page, 'a new endpoint');
  const pressUntil = async (key: string, until: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await until()) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} never led there.`);
  };
  const isOn = (name: string) => () =>
    page.evaluate((wanted) => document.activeElement?.getAttribute('name') === wanted, name);
  await pressUntil('Tab', isOn('url'));
  await page.keyboard.type('https://93.184.216.34/hook');
  await pressUntil('Tab', isOn('events'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Endpoint created');
  await expect(page.getByLabel('Signing secret')).toBeFocused();
  await expectAccessible(page, 'a new endpoint with its secret');
  const endpoint = page.url();
  for (const name of ['Edit', 'New secret', 'Turn off', 'Delete']) {
    await page.goto(endpoint);
    await page.getByRole('link', { name, exact: true }).click();
    await expectAccessible(page, name);
  }
  await page.goto(`${endpoint}/disable`);
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('A team member turned it off.')).toBeVisible();
  await expectAccessible(page, 'an endpoint that is off');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByRole('heading', { name: 'Attempts' })).toBeVisible();
  await expectAccessible(page, 'a delivery');
  await page.goto(`${endpoint}/delete`);
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await dashboard.open('/webhooks');
  await expectAccessible(page, 'no endpoints');
});

test('the pages before sign-in', async ({ dashboard, page, system }) => {
  const { origin } = new URL(system.api_base);
  for (const path of ['/sign-in', '/forgot-password', '/reset-password?token=x']) {
    await page.goto(origin + path);
    await expectAccessible(page, path);
  }
  await dashboard.signIn(OWNER);
});
