import { test as base, expect } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { Dashboard } from '../../e2e/support/dashboard-pages.ts';
import { WordPressPages } from './wordpress-pages.ts';
import type { WordPress } from './wordpress.ts';

export { expect };

export const SYSTEM_VARIABLE = 'WORDPRESS_SYSTEM';
export const WORDPRESS_VARIABLE = 'WORDPRESS_SITE';

interface Fixtures {
  system: Addresses;
  site: WordPress;
  wordpress: WordPressPages;
  dashboard: Dashboard;
}

export const test = base.extend<Fixtures>({
  system: async ({}, use) => {
    await use(JSON.parse(process.env[SYSTEM_VARIABLE] ?? '') as Addresses);
  },
  site: async ({}, use) => {
    await use(JSON.parse(process.env[WORDPRESS_VARIABLE] ?? '') as WordPress);
  },
  wordpress: async ({ page, site }, use) => {
    await use(new WordPressPages(page, site));
  },
  // In its own tab: another person, with another browser, decides in the dashboard.
  dashboard: async ({ browser, system }, use) => {
    const page = await browser.newPage();
    await use(new Dashboard(page, new URL(system.api_base).origin));
    await page.close();
  },
});
