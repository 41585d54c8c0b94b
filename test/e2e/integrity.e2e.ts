import { test, expect, type Page } from './support/fixtures.ts';
import { VERSION } from '../support/version.ts';

/** Pages that pin a version: docs/adopting.md. */

const POLICY = 'blocked-destinations=(script)';

/** Opens a page with the pinned script, the hashes of all files, and a policy that demands hashes. */
async function openPinnedPage(page: Page, pages: string, server: string, element: string) {
  const folder = `${server}/v${VERSION}/`;
  const response = await page.request.get(`${folder}integrity.json`);
  const { files } = (await response.json()) as { files: Record<string, string> };
  const { 'connect.js': loader, ...later } = files;
  const integrity = Object.fromEntries(
    Object.entries(later).map(([file, hash]) => [folder + file, hash]),
  );
  // A response of the test has no address on this machine, so the browser asks before it loads from there.
  await page.context().grantPermissions(['local-network-access']);
  await page.route(`${pages}/pinned`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'Integrity-Policy': POLICY },
      body: `<!doctype html><title>Pinned</title>
        <script type="importmap">${JSON.stringify({ integrity })}</script>
        <script type="module" src="${folder}connect.js" integrity="${loader}" crossorigin></script>
        ${element}`,
    }),
  );
  await page.goto(`${pages}/pinned`);
}

const FORM = '<connect-donate>Donate on our website.</connect-donate>';
const isDrawn = (page: Page) => page.getByRole('radio').first();

test('a pinned form appears under an integrity policy', async ({
  page,
  pages,
  system,
  monitor,
}) => {
  // Stripe publishes no hashes, so the policy blocks its script.
  monitor.allowErrors(/integrity|Stripe|card/i);
  await openPinnedPage(page, pages, system.server, FORM);
  await expect(isDrawn(page)).toBeVisible();
});

test('a file that was changed is refused', async ({ page, pages, system, monitor }) => {
  monitor.allowErrors(/Failed to find a valid digest|integrity|dynamically imported module/i);
  let changed = 0;
  await page.route(/\/v0\.1\.0\/donate-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    changed++;
    await route.fulfill({ response, body: `${await response.text()};globalThis.changed=1` });
  });
  await openPinnedPage(page, pages, system.server, FORM);
  await expect.poll(() => changed).toBeGreaterThan(0);
  await expect(page.getByText('Donate on our website.')).toBeVisible();
  expect(await page.evaluate(() => 'changed' in globalThis)).toBe(false);
  await expect(isDrawn(page)).toHaveCount(0);
});

test('the policy blocks a file without a hash', async ({ page, pages, system, monitor }) => {
  monitor.allowErrors(/integrity|Integrity-Policy/i);
  await openPinnedPage(page, pages, system.server, FORM);
  const blocked = await page.evaluate(
    (url) =>
      import(url).then(
        () => 'loaded',
        () => 'blocked',
      ),
    `${system.server}/connect.js`,
  );
  expect(blocked).toBe('blocked');
});
