import { appendFileSync } from 'node:fs';
import { test as base, expect, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { createProcessorClient } from '../../support/processor.ts';
import { Dashboard } from './dashboard-pages.ts';
import { DonatePage } from './donate-page.ts';
import { readEnvironment } from './environment.ts';
import { PlatformPage } from './platform-page.ts';
import { PageMonitor } from './page-monitor.ts';

export { expect };

interface Fixtures {
  system: Addresses;
  /** Origin of the host pages: test/e2e/support/host-pages.ts */
  pages: string;
  processor: ReturnType<typeof createProcessorClient>;
  /** Records requests and console errors; unexpected errors fail the test. */
  monitor: PageMonitor;
  donate: DonatePage;
  /** The dashboard in `page`; nobody is signed in yet. */
  dashboard: Dashboard;
  platform: PlatformPage;
}

export const test = base.extend<Fixtures>({
  system: async ({}, use) => {
    await use(readEnvironment().system);
  },
  pages: async ({}, use) => {
    await use(`http://localhost:${readEnvironment().ports.pages}`);
  },
  processor: async ({ system }, use) => {
    await use(createProcessorClient(system));
  },
  monitor: [
    async ({ context, system }, use) => {
      const watch = new PageMonitor(context);
      await use(watch);
      appendFileSync(readEnvironment().countFile, '.');
      watch.assertNoErrors();
      watch.assertNoCardOutside(system.sandbox);
    },
    { auto: true },
  ],
  donate: async ({ page, system, monitor }, use) => {
    await use(new DonatePage(page, system, monitor));
  },
  dashboard: async ({ page, system }, use) => {
    await use(new Dashboard(page, new URL(system.api_base).origin));
  },
  platform: async ({ context, system }, use) => {
    await use(new PlatformPage(await context.newPage(), system));
  },
});

/** An email address that no other test uses, to find its donations. */
export const newEmail = () => `donor-${crypto.randomUUID()}@example.org`;

export type { Page };
