import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { Dashboard } from './e2e/support/dashboard-pages.ts';
import type { TestSystem } from './support/system.ts';

const FOLDER = join(import.meta.dirname, '../docs/organizations/images');
const VIEWPORT = { width: 1280, height: 760 };

/** Opens what each picture of the manual shows, by file name. */
const PICTURES: Record<string, (dashboard: Dashboard, page: Page) => Promise<void>> = {
  'form-editor': async (dashboard, page) => {
    await openForm(dashboard, page);
    await page.getByRole('link', { name: 'Edit form' }).click();
    await page.frameLocator('iframe[name=form-preview]').getByRole('radio').first().waitFor();
  },
  sharing: async (dashboard, page) => {
    await openForm(dashboard, page);
    await page.getByRole('link', { name: 'More ways to share' }).click();
  },
  campaign: async (dashboard) => {
    await dashboard.open('/campaigns');
    await dashboard.openFirstRow();
  },
  donations: async (dashboard, page) => {
    await dashboard.open('/donations');
    await page
      .getByRole('region', { name: 'Totals' })
      .evaluate((totals) => totals.scrollIntoView({ block: 'center' }));
  },
  refund: async (dashboard, page) => {
    await dashboard.open('/donations');
    await dashboard.openFirstRow();
    await page.getByRole('link', { name: 'Refund donation' }).click();
  },
  receipts: async (dashboard, page) => {
    await dashboard.open('/receipts');
    await page.getByRole('heading', { name: 'Sample receipt' }).scrollIntoViewIfNeeded();
  },
  erase: async (dashboard, page) => {
    await dashboard.open('/donors');
    await dashboard.openFirstRow();
    await page.getByRole('link', { name: 'Erase data' }).click();
  },
  payout: async (dashboard, page) => {
    await dashboard.open('/payouts?status=paid');
    await dashboard.openFirstRow();
    await page.getByRole('heading', { name: 'Summary' }).scrollIntoViewIfNeeded();
  },
  home: (dashboard) => dashboard.open(''),
  'go-live': (dashboard) => dashboard.open('/go-live'),
  disputes: (dashboard) => dashboard.open('/donations/disputes'),
  plans: (dashboard) => dashboard.open('/plans'),
  funds: (dashboard) => dashboard.open('/funds'),
  invite: async (dashboard, page) => {
    await dashboard.open('/team');
    await page.getByRole('link', { name: 'Invite team member' }).click();
  },
};

/**
 * Takes the pictures of the manual for organizations.
 *
 * @param system a demo with a donation made in it, which is the newest one
 */
export async function captureManual(browser: Browser, system: TestSystem): Promise<void> {
  const page = await browser.newPage({ colorScheme: 'light', viewport: VIEWPORT });
  const dashboard = new Dashboard(page, new URL(system.api_base).origin);
  await dashboard.signIn();
  for (const [name, open] of Object.entries(PICTURES)) {
    await open(dashboard, page);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
  await page.close();
}

async function openForm(dashboard: Dashboard, page: Page): Promise<void> {
  await dashboard.open('/forms');
  await page.getByRole('link', { name: 'Donate on our website' }).click();
}
