import { test as base, expect, type Page } from 'playwright/test';
import type { Addresses } from '../../support/house.ts';
import { openProcessor } from '../../support/processor.ts';
import { DonatePage } from './donate-page.ts';
import { PlatformPage } from './platform-page.ts';
import { Watch } from './watch.ts';

export { expect };

export const HOUSE_VARIABLE = 'E2E_HOUSE';
export const OUTPUT_VARIABLE = 'E2E_OUTPUT';
export const PAGES_PORT_VARIABLE = 'E2E_PAGES_PORT';
/** The one port of this machine that the house may send notices to. */
export const RECEIVER_PORT_VARIABLE = 'E2E_RECEIVER_PORT';

interface Fixtures {
  house: Addresses;
  /** Origin of pages that other people wrote: test/e2e/support/host-pages.ts */
  pages: string;
  processor: ReturnType<typeof openProcessor>;
  /** Everything the page asks for and complains about; complaints fail the journey. */
  watch: Watch;
  donate: DonatePage;
  platform: PlatformPage;
}

export const test = base.extend<Fixtures>({
  house: async ({}, use) => {
    await use(JSON.parse(process.env[HOUSE_VARIABLE] ?? '') as Addresses);
  },
  pages: async ({}, use) => {
    await use(`http://localhost:${process.env[PAGES_PORT_VARIABLE]}`);
  },
  processor: async ({ house }, use) => {
    await use(openProcessor(house));
  },
  watch: [
    async ({ context, house }, use) => {
      const watch = new Watch(context);
      await use(watch);
      watch.assertQuiet();
      watch.assertNoCardOutside(house.sandbox);
    },
    { auto: true },
  ],
  donate: async ({ page, house, watch }, use) => {
    await use(new DonatePage(page, house, watch));
  },
  platform: async ({ context, house }, use) => {
    await use(new PlatformPage(await context.newPage(), house));
  },
});

/** An e-mail address that no other journey uses, so that its gift can be told apart. */
export const newEmail = () => `donor-${crypto.randomUUID()}@example.org`;

export type { Page };
