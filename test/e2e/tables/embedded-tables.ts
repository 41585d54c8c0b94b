import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signViewerToken } from '../../support/signed-token.ts';
import { readEnvironment } from '../support/environment.ts';
import { expect, test as base } from '../support/fixtures.ts';

export { expect };

interface TableFixtures {
  /** Opens a host page and adds our tags as its author would. */
  embed: (tags: string) => Promise<void>;
}

/** Fixtures for tables on a page that is not the demo platform. */
export const test = base.extend<TableFixtures>({
  embed: async ({ page, pages }, use) => {
    await use(async (tags) => {
      await page.goto(`${pages}/bare`);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), tags);
    });
  },
});

/** The secret of the system's viewer tokens. */
export function readViewerSecret(): string {
  const file = join(readEnvironment().dataDir, 'secrets.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { viewer: string }).viewer;
}

/** A provider tag whose viewer has all permissions. */
export const providerTag = (
  server: string,
  innerHtml: string,
  { id = 'provider', token = signViewerToken(readViewerSecret()) } = {},
) =>
  `<connect-provider id="${id}" server="${server}" viewer-token="${token}">${innerHtml}</connect-provider>`;
