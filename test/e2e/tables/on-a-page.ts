import { OWN_VIEWER_SECRET, openOwnServer, type OwnServer } from '../../support/own-server.ts';
import { viewerToken } from '../../support/signed-token.ts';
import { expect, test as base } from '../support/fixtures.ts';

export { expect };

interface OnAPage {
  /** A server for the tables of this journey alone. */
  own: OwnServer;
  /** Opens somebody else's page, and puts tags of ours into it as its author would write them. */
  embed: (tags: string) => Promise<void>;
}

/** Tables on a page that is no platform's. */
export const test = base.extend<OnAPage>({
  own: async ({ house, pages, page }, use) => {
    const own = await openOwnServer(house, { ALLOWED_ORIGINS: pages });
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
export const provider = (
  { url }: OwnServer,
  inside: string,
  { id = 'provider', token = viewerToken(OWN_VIEWER_SECRET) } = {},
) =>
  `<connect-provider id="${id}" server="${url}" viewer-token="${token}">${inside}</connect-provider>`;
