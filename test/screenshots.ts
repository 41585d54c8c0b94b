/**
 * `npm run screenshots`: takes the pictures of form, tables, dashboard and giving page in docs/images and
 * those of the manual in docs/organizations from a running demo, and records the animation of a donation.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { Dashboard } from './e2e/support/dashboard-pages.ts';
import { DonationForm } from './e2e/support/donate-page.ts';
import { exitOnHelpOption } from './support/help-option.ts';
import { startSystem, type TestSystem } from './support/system.ts';
import { launchOptions } from './support/launch-options.ts';
import { captureManual } from './manual-pictures.ts';
import { recordDonation } from './record-donation.ts';

exitOnHelpOption(
  'Takes the pictures of the docs and the animation in docs/images from a demo of its own.',
);

const FOLDER = join(import.meta.dirname, '../docs/images');
const MARGIN = 24;

const system = await startSystem();
const browser = await chromium.launch(launchOptions());
try {
  await mkdir(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await captureForm(browser, system, colorScheme);
    await captureTable(browser, system, colorScheme);
    await captureDashboard(browser, system, colorScheme);
    await captureGivingPage(browser, system, colorScheme);
    await recordDonation(
      browser,
      system,
      colorScheme,
      join(FOLDER, `donation-${colorScheme}.webp`),
    );
  }
  await captureManual(browser, system);
} finally {
  await browser.close();
  await system.close();
}

async function captureForm(
  browser: Browser,
  { site, sandbox }: TestSystem,
  colorScheme: 'light' | 'dark',
) {
  const options = { colorScheme, viewport: { width: 560, height: 1400 }, deviceScaleFactor: 2 };
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
  await page.goto(site);
  const form = page.locator('connect-donate').first();
  const card = page.frameLocator(`connect-donate iframe[src^="${sandbox}"]`).first();
  await new DonationForm(form, card).fill({ email: 'ada@example.org' });
  await card.getByLabel('Security code').blur();
  await form.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await form.boundingBox())!;
  const clip = {
    x: Math.max(0, x - MARGIN),
    y: Math.max(0, y - MARGIN),
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
  };
  await page.screenshot({ path: join(FOLDER, `form-${colorScheme}.png`), clip });
  await page.close();
}

async function captureTable(browser: Browser, { site }: TestSystem, colorScheme: 'light' | 'dark') {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 800 } });
  await page.goto(`${site}/platform/`);
  const table = page.locator('connect-donations');
  const signIn = page.getByRole('button', { name: /sign in/i });
  await signIn.or(table).first().waitFor();
  if (await signIn.isVisible()) await signIn.click();
  await table.locator('tr[data-id]').first().waitFor();
  await table.locator('figure').first().waitFor();
  await page.screenshot({ path: join(FOLDER, `tables-${colorScheme}.png`) });
  await page.close();
}

async function captureDashboard(
  browser: Browser,
  system: TestSystem,
  colorScheme: 'light' | 'dark',
) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  const dashboard = new Dashboard(page, new URL(system.api_base).origin);
  await dashboard.signIn();
  // The second picture is taken when it is hidden already.
  const hide = page.getByRole('button', { name: 'Hide this list' });
  if (await hide.isVisible()) await hide.click();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await page.screenshot({ path: join(FOLDER, `dashboard-${colorScheme}.png`) });
  await dashboard.open('/forms');
  await dashboard.openFirstRow();
  await page.getByRole('link', { name: 'Edit form' }).click();
  await page.locator('select[name=preview_theme]').selectOption(colorScheme);
  const preview = page.frameLocator('iframe[name=form-preview]');
  await preview
    .locator(`meta[name=color-scheme][content=${colorScheme}]`)
    .waitFor({ state: 'attached' });
  await preview.getByRole('radio').first().waitFor();
  await page.screenshot({ path: join(FOLDER, `form-editor-${colorScheme}.png`) });
  await page.close();
}

async function captureGivingPage(
  browser: Browser,
  { server }: TestSystem,
  colorScheme: 'light' | 'dark',
) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  await page.goto(`${server}/give/meals`);
  await page.locator('connect-donate').getByRole('radio').first().waitFor();
  await page.screenshot({ path: join(FOLDER, `giving-page-${colorScheme}.png`) });
  await page.close();
}
