import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { Dashboard } from '../e2e/support/dashboard-pages.ts';
import { DonatePage } from '../e2e/support/donate-page.ts';
import { PageMonitor } from '../e2e/support/page-monitor.ts';
import type { Addresses } from '../support/system.ts';
import { expect, test } from './support/fixtures.ts';
import { illustrate } from './support/illustrate.ts';
import { findProgram } from '../support/find-program.ts';

// Each test continues with the WordPress that the last one has left.
test.describe.configure({ mode: 'serial' });

/** How long the server may show the list of allowed sites before a change. */
const LIST_TIMEOUT_MS = 90_000;
/** As often as a person reloads a page. The server limits the requests of an address. */
const RELOAD_MS = 5000;
/** The reference of a donation. */
const REFERENCE = /^\s*[0-9A-Z]{4}-[0-9A-Z]{4}\s*$/;

/** Gives on the open page as somebody else does, and finds the donation by its reference in the dashboard. */
async function giveAndFind(page: Page, system: Addresses, dashboard: Dashboard): Promise<void> {
  const visitor = await page.context().browser()!.newPage();
  const donate = new DonatePage(visitor, system, new PageMonitor(visitor.context()));
  await donate.open(page.url());
  await donate.fill({ email: `donor-${crypto.randomUUID()}@example.org` });
  await donate.submitButton.click();
  await donate.expectThanks();
  const reference = await donate.form.getByText(REFERENCE).textContent();
  await visitor.close();
  await dashboard.signIn();
  await expect(async () => {
    await dashboard.open('');
    const search = dashboard.page.getByLabel('Search donations, donors and payouts');
    await search.fill(reference!.trim());
    await search.press('Enter');
    const donor = dashboard.page.getByRole('link', { name: 'Ada Lovelace' });
    await expect(donor).toHaveCount(1, { timeout: 1000 });
  }).toPass();
}

test('an administrator installs and connects the plugin, and an owner allows the website', async ({
  wordpress,
  dashboard,
  site,
  system,
}) => {
  const { page } = wordpress;
  await wordpress.signIn('admin');
  await dashboard.page.goto(new URL('/help/site-builders/wordpress', system.api_base).href);
  const download = dashboard.page.waitForEvent('download');
  await dashboard.page.getByRole('link', { name: 'the plugin' }).click();
  const file = test.info().outputPath('connect-embed.zip');
  await (await download).saveAs(file);
  await wordpress.installPlugin(file);
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();

  await test.step('an invalid address is reported, and stays in the field', async () => {
    const address = page.getByLabel('Server address');
    await address.fill('ftp://giving.example');
    await page.getByRole('button', { name: 'Save and test the connection' }).click();
    await expect(page.getByText('Enter an address that starts with https://')).toBeVisible();
    await expect(address).toHaveValue('ftp://giving.example');
  });

  await test.step('an address without a server is reported', async () => {
    await page.getByLabel('Server address').fill(system.site);
    await page.getByRole('button', { name: 'Save and test the connection' }).click();
    await expect(page.getByText('There is no Connect Embed server at this address')).toBeVisible();
  });

  await page
    .getByLabel('Server address')
    .fill(`<script type="module" src="${system.server}/connect.js"></script>`);
  await page.getByRole('button', { name: 'Save and test the connection' }).click();
  await expect(page.getByText(/Connected\. The server runs Connect Embed \d/)).toBeVisible();
  await expect(page.getByLabel('Server address')).toHaveValue(system.server);
  await expect(page.getByText(`${site.url} is not allowed to show your forms yet`)).toBeVisible();
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText(`${site.url} is waiting for approval`)).toBeVisible();
  await illustrate(page, 'wordpress-settings');

  await test.step('the owner finds and allows the request in the dashboard', async () => {
    await dashboard.signIn();
    await dashboard.page.getByRole('link', { name: 'Allowed sites 1 waiting' }).click();
    const requests = dashboard.page.locator('.panel', { hasText: 'Websites that ask' });
    await illustrate(requests, 'wordpress-allow');
    await dashboard.page.getByRole('button', { name: `Allow ${site.url}` }).click();
    await expect(dashboard.page.getByText('can show your forms within a minute')).toBeVisible();
  });

  await expect(async () => {
    await page.reload();
    const allowed = page.getByText(`${site.url} is allowed to show your forms`);
    await expect(allowed).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: LIST_TIMEOUT_MS, intervals: [RELOAD_MS] });
  await expect(page.getByText('[connect_donate form="meals"]')).toBeVisible();
});

test('an administrator adds the block, and it takes a donation', async ({
  wordpress,
  dashboard,
  system,
}) => {
  const { page } = wordpress;
  await wordpress.signIn('admin');
  await wordpress.newPost('Give a meal');
  await wordpress.insertForm('meals');
  await expect(wordpress.preview.getByRole('radio', { name: '$50' })).toBeVisible();
  await expect(wordpress.preview.locator('body')).toHaveAttribute('inert');
  await illustrate(page, 'wordpress-block');
  await wordpress.publish();

  await giveAndFind(page, system, dashboard);
});

test('an editor without unfiltered_html adds the block, a shortcode and the tag', async ({
  wordpress,
  dashboard,
  system,
}) => {
  const { page } = wordpress;
  await wordpress.signIn('editor');

  await test.step('the block, which takes a donation', async () => {
    await wordpress.newPost('Give as well');
    await wordpress.insertForm('meals');
    await wordpress.publish();
    await giveAndFind(page, system, dashboard);
  });

  await test.step('the block, in another language, as a button', async () => {
    await wordpress.newPost('Spenden');
    await wordpress.insertForm('meals');
    await page.getByRole('combobox', { name: 'Display' }).selectOption('button');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await expect(wordpress.preview.getByRole('button', { name: 'Spenden' })).toBeVisible();
    await wordpress.publish();
    await expect(wordpress.form.getByRole('button', { name: 'Spenden' })).toBeVisible();
  });

  await test.step('a shortcode, whose unknown attributes are dropped', async () => {
    await wordpress.newPost('With a shortcode');
    await wordpress.insertBlock('Shortcode');
    await page
      .getByRole('textbox', { name: 'Shortcode text' })
      .fill('[connect_donate form="meals" server="https://evil.example" onclick="alert(1)"]');
    await wordpress.publish();
    await expect(wordpress.form.getByRole('radio', { name: '$50' })).toBeVisible();
    expect(await wordpress.form.getAttribute('server')).toBeNull();
    expect(await wordpress.form.getAttribute('onclick')).toBeNull();
    await expect(page.locator(`script[src="${system.server}/connect.js"]`)).toHaveCount(1);
    await giveAndFind(page, system, dashboard);
  });

  await test.step('the tag in Custom HTML, of which WordPress removes script and server', async () => {
    await wordpress.newPost('With a tag');
    await wordpress.insertBlock('Custom HTML');
    await page
      .getByRole('textbox', { name: 'HTML' })
      .fill(
        '<script src="https://evil.example/x.js"></script><connect-donate form="meals" server="https://evil.example"></connect-donate>',
      );
    await wordpress.publish();
    await expect(wordpress.form.getByRole('radio', { name: '$50' })).toBeVisible();
    expect(await wordpress.form.getAttribute('server')).toBeNull();
    await expect(page.locator('script[src*=evil]')).toHaveCount(0);
  });
});

test('every default theme shows the form, and other pages load no script', async ({
  wordpress,
  site,
  system,
}) => {
  const { page } = wordpress;
  await wordpress.signIn('admin');
  await page.goto(`${site.url}/?s=Give+a+meal`);
  const post = await page.getByRole('link', { name: 'Give a meal' }).first().getAttribute('href');
  for (const theme of site.themes) {
    await test.step(theme, async () => {
      await wordpress.activateTheme(theme);
      await page.goto(post!);
      await expect(wordpress.form.getByRole('radio', { name: '$50' })).toBeVisible();
      expect(await page.getByRole('link', { name: 'Donate' }).count(), 'no fallback link').toBe(0);
      await expect(page.locator('script[src$="/connect.js"]')).toHaveAttribute('type', 'module');
      if (theme === 'twentytwentythree') await illustrate(page, 'wordpress-page');
      await page.goto(`${site.url}/?p=1`);
      await expect(page.locator(`script[src^="${system.server}"]`)).toHaveCount(0);
    });
  }
});

test('filters return a value unchanged that is no text or list', ({ site }) => {
  const script = join(import.meta.dirname, 'support/pass-null-to-filters.php');
  const results = execFileSync(findProgram('php')!, [script, site.folder], { encoding: 'utf8' });
  expect(JSON.parse(results)).toEqual({
    'ConnectEmbed\\load_as_module': null,
    'ConnectEmbed\\allow_form_tag': null,
    'ConnectEmbed\\load_form_assets_for_tag': null,
    'ConnectEmbed\\add_settings_link': null,
  });
});

test('the plugin causes no warning of PHP', ({ site }) => {
  const log = existsSync(site.debugLog) ? readFileSync(site.debugLog, 'utf8') : '';
  expect(log.split('\n').filter((line) => line.includes('connect-embed'))).toEqual([]);
});
