import {
  DEDICATED_VIEWER_SECRET,
  startDedicatedServer,
  type DedicatedServer,
} from '../../support/dedicated-server.ts';
import { signViewerToken } from '../../support/signed-token.ts';
import { expect, test as base } from '../support/fixtures.ts';

export { expect };

interface TableFixtures {
  /** A BFF for the tables of this test only. */
  dedicatedServer: DedicatedServer;
  /** Opens a host page and adds our tags as its author would. */
  embed: (tags: string) => Promise<void>;
}

/** Fixtures for tables on a page that is not the demo platform. */
export const test = base.extend<TableFixtures>({
  dedicatedServer: async ({ system, pages, page }, use) => {
    const server = await startDedicatedServer(system, { ALLOWED_ORIGINS: pages });
    await use(server);
    await page.close();
    await server.close();
  },
  embed: async ({ page, pages }, use) => {
    await use(async (tags) => {
      await page.goto(`${pages}/bare`);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), tags);
    });
  },
});

/** A provider tag whose viewer has all permissions. */
export const providerTag = (
  { url }: DedicatedServer,
  innerHtml: string,
  { id = 'provider', token = signViewerToken(DEDICATED_VIEWER_SECRET) } = {},
) =>
  `<connect-provider id="${id}" server="${url}" viewer-token="${token}">${innerHtml}</connect-provider>`;
