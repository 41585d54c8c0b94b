import { test as base, expect, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { createProcessorClient } from '../../support/processor.ts';
import { DonatePage } from './donate-page.ts';
import { PlatformPage } from './platform-page.ts';
import { PageMonitor } from './page-monitor.ts';

export { expect };

export const SYSTEM_VARIABLE = 'E2E_HOUSE';
export const OUTPUT_VARIABLE = 'E2E_OUTPUT';
export const PAGES_PORT_VARIABLE = 'E2E_PAGES_PORT';
/** The one port of this machine that the house may send notices to. */
export const RECEIVER_PORT_VARIABLE = 'E2E_RECEIVER_PORT';

interface Fixtures {
  system: Addresses;
  /** Origin of pages that other people wrote: test/e2e/support/host-pages.ts */
  pages: string;
  processor: ReturnType<typeof createProcessorClient>;
  /** Everything the page asks for and complains about; complaints fail the journey. */
  monitor: PageMonitor;
  donate: DonatePage;
  platform: PlatformPage;
}

export const test = base.extend<Fixtures>({
  system: async ({}, use) => {
    await use(JSON.parse(process.env[SYSTEM_VARIABLE] ?? '') as Addresses);
  },
  pages: async ({}, use) => {
    await use(`http://localhost:${process.env[PAGES_PORT_VARIABLE]}`);
  },
  processor: async ({ system }, use) => {
    await use(createProcessorClient(system));
  },
  monitor: [
    async ({ context, system }, use) => {
      const watch = new PageMonitor(context);
      await use(watch);
      watch.assertNoErrors();
      watch.assertNoCardOutside(system.sandbox);
    },
    { auto: true },
  ],
  donate: async ({ page, system, monitor }, use) => {
    await use(new DonatePage(page, system, monitor));
  },
  platform: async ({ context, system }, use) => {
    await use(new PlatformPage(await context.newPage(), system));
  },
});

/** An e-mail address that no other journey uses, so that its gift can be told apart. */
export const newEmail = () => `donor-${crypto.randomUUID()}@example.org`;

export type { Page };
