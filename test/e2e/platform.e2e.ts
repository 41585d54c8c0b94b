import type { Browser, Page } from 'playwright/test';
import { ServiceProcess } from '../support/service-process.ts';
import { Dashboard } from './support/dashboard-pages.ts';
import { readEnvironment } from './support/environment.ts';
import { expect, newEmail, test as base } from './support/fixtures.ts';
import { runJsonCommand } from './support/run-command.ts';

/** The sample platform of docs/platforms.md, with two customers and their organizations. */
const test = base.extend<{ platformOrigin: string }>({
  platformOrigin: async ({ system }, use, testInfo) => {
    const origin = `http://localhost:${readEnvironment().ports.platform}`;
    const app = await runJsonCommand(
      ...['apps', 'create', '--owner', 'developer@sprout.example', '--name', 'Tideline'],
      ...['--redirect-uri', `${origin}/connect/oauth/callback`],
    );
    const platform = new ServiceProcess('demo/many-organizations/main.ts', {
      PLATFORM_ORIGIN: origin,
      CONNECT_API_BASE: system.api_base,
      CONNECT_CLIENT_ID: app['client_id'],
      CONNECT_CLIENT_SECRET: app['client_secret'],
      SESSION_SECRET: 'a-session-secret-of-the-sample-platform',
      VIEWER_SECRET: 'a-viewer-secret-of-the-sample-platform-0',
      DATABASE_FILE: testInfo.outputPath('platform.db'),
    });
    await platform.waitUntil(() => platform.output.includes('listening on'), 'it listened');
    await use(origin);
    await platform.stop();
  },
});

/** Signs a customer in to the platform, and connects their organization in the dashboard. */
async function connect(browser: Browser, origin: string, customer: string, organization: string) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(origin);
  await page.getByLabel('Customer').fill(customer);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Connect your organization' }).click();
  await page.getByLabel('Email').fill('owner@harborstreet.example');
  await page.getByLabel('Password').fill('harbor-street-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('radio', { name: organization }).check();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Connected:')).toBeVisible();
  return page;
}

const countDonations = (page: Page) =>
  page.locator('connect-donations tr[data-id]').evaluateAll((rows) => rows.length);

test('a platform connects two organizations, shows their donations, and both ways of leaving', async ({
  browser,
  donate,
  platformOrigin,
  page,
  system,
}) => {
  const harbor = await connect(browser, platformOrigin, 'harbor', 'Harbor Street Food Bank');
  const lantern = await connect(browser, platformOrigin, 'lantern', 'Lantern');
  await expect.poll(() => countDonations(harbor)).toBeGreaterThan(0);
  await expect.poll(() => countDonations(lantern)).toBeGreaterThan(0);

  await donate.open();
  await donate.fill({ email: newEmail(), name: 'Petra Platform' });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect(async () => {
    await harbor.reload();
    await expect(harbor.getByText('harbor: donation.created').first()).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  await expect(harbor.getByText('Petra Platform')).toBeVisible();
  await lantern.reload();
  await expect.poll(() => countDonations(lantern)).toBeGreaterThan(0);
  await expect(lantern.getByText('Petra Platform')).toBeHidden();

  await harbor.getByRole('button', { name: 'Disconnect your organization' }).click();
  await expect(harbor.getByRole('link', { name: 'Connect your organization' })).toBeVisible();
  const dashboard = new Dashboard(page, new URL(system.api_base).origin);
  await dashboard.signIn();
  await dashboard.open('/connected-apps');
  await expect(page.getByText('Tideline')).toBeHidden();

  await dashboard.open('/dashboard/org_lantern/connected-apps');
  await page.getByRole('link', { name: 'Disconnect Tideline' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(async () => {
    await lantern.reload();
    await expect(lantern.getByRole('link', { name: 'Connect your organization' })).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  await lantern.goto(`${platformOrigin}/connect/oauth/callback?code=old&state=old`);
  await expect(lantern.getByRole('heading', { name: 'This page has expired' })).toBeVisible();
});
