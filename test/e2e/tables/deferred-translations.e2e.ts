import { expect, providerTag, test } from './embedded-tables.ts';

const TRANSLATION_FILE = /\/tables-de-[\w-]{8}\.js$/;

/**
 * Translations that load after the rows were rendered in English:
 * docs/decisions/0049-languages.md
 */
test('late translations are applied to a table without another request for its data', async ({
  embed,
  system,
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(TRANSLATION_FILE, async (route) => {
    await released;
    await route.continue();
  });
  // The last request of the first view.
  const summary = page.waitForResponse(/\/donations\/summary/);
  await embed(
    providerTag(
      system.server,
      '<connect-donations locale="de" refresh-seconds="0"></connect-donations>',
    ),
  );
  const table = page.locator('connect-donations');
  await expect(table.getByRole('columnheader', { name: 'Donor' })).toBeVisible();
  // “Anonymous” is translated; a test beside this one may erase the donor of the newest donation.
  const first = table
    .locator('.open')
    .filter({ hasNotText: /^\s*Anonym/ })
    .first();
  const name = await first.textContent();
  await summary;
  const loadedFiles: string[] = [];
  page.on('request', (request) => loadedFiles.push(request.url()));
  await first.focus();
  release();
  await expect(table.getByRole('columnheader', { name: 'Spender:in' })).toBeVisible();
  await expect(table.locator('.frame')).toHaveAttribute('lang', 'de');
  await expect(first).toHaveText(name!);
  expect(loadedFiles.filter((url) => url.includes('/donations'))).toEqual([]);
});
