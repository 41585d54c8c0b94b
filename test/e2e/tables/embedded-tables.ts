import {
  DEDICATED_VIEWER_SECRET,
  startDedicatedServer,
  type DedicatedServer,
} from '../../support/dedicated-server.ts';
import { signViewerToken } from '../../support/signed-token.ts';
import { expect, test as base } from '../support/fixtures.ts';

export { expect };

interface TableFixtures {
  /** A server for the tables of this journey alone. */
  dedicatedServer: DedicatedServer;
  /** Opens somebody else's page, and puts tags of ours into it as its author would write them. */
  embed: (tags: string) => Promise<void>;
}

/** Tables on a page that is no platform's. */
export const test = base.extend<TableFixtures>({
  dedicatedServer: async ({ system, pages, page }, use) => {
    const own = await startDedicatedServer(system, { ALLOWED_ORIGINS: pages });
    await use(own);
    await page.close();
    await own.close();
  },
  embed: async ({ page, pages }, use) => {
    await use(async (tags) => {
      await page.goto(`${pages}/bare`);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), tags);
    });
  },
});

/** A provider as a page writes it; its viewer may see everything. */
export const providerTag = (
  { url }: DedicatedServer,
  innerHtml: string,
  { id = 'provider', token = signViewerToken(DEDICATED_VIEWER_SECRET) } = {},
) =>
  `<connect-provider id="${id}" server="${url}" viewer-token="${token}">${innerHtml}</connect-provider>`;
