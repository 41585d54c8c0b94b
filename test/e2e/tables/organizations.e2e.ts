import type { List, Donation } from '@connect-embed/contract';
import type { Browser, Locator, Request } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { startDedicatedServer } from '../../support/dedicated-server.ts';
import { Dashboard } from '../support/dashboard-pages.ts';
import { expect, providerTag, readViewerSecret, test as base } from './embedded-tables.ts';
import { callApi, filterToPastDonations, openFilters } from './call-api.ts';

/** The second demo organization: its API key, and a BFF that uses it. */
type OtherOrganization = Pick<Addresses, 'api_base' | 'api_key' | 'server'>;

/** Two organizations of the same API, shown on one page. */
const test = base.extend<{ otherOrganization: OtherOrganization }>({
  otherOrganization: async ({ browser, system, pages, page }, use) => {
    const other = { ...system, api_key: await createApiKey(browser, system, 'org_lantern') };
    const ownServer = await startDedicatedServer(other, {
      ALLOWED_ORIGINS: pages,
      VIEWER_SECRET: readViewerSecret(),
    });
    await use({ ...other, server: ownServer.url });
    await page.close();
    await ownServer.close();
  },
});

/** Creates an API key in the dashboard. */
async function createApiKey(browser: Browser, { api_base }: Addresses, organization: string) {
  const page = await browser.newPage();
  const dashboard = new Dashboard(page, new URL(api_base).origin, organization);
  await dashboard.signIn();
  await dashboard.open('/api-keys');
  const name = `Tables ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('See donations').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByLabel(`API key "${name}"`).inputValue();
  await page.context().close();
  return key;
}

const idsOf = (table: Locator) =>
  table
    .locator('tr[data-id]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));

const donationsOf = async (system: OtherOrganization, query: string) =>
  (await callApi<List<Donation>>(system, `/donations?limit=5${query}`)).data.map(({ id }) => id);

const TABLE =
  '<connect-donations limit="5" tools="filters" refresh-seconds="0"></connect-donations>';

test('two organizations on a page do not share donations, filters or session expiry', async ({
  page,
  system,
  otherOrganization,
  embed,
  monitor,
}) => {
  monitor.allowErrors(/Signed out/);
  const otherTable = providerTag(otherOrganization.server, TABLE, { id: 'lantern' });
  await embed(providerTag(system.server, TABLE, { id: 'harbor' }) + otherTable);
  const tableOf = (id: string) => page.locator(`#${id} connect-donations`);
  const [harbor, other] = [tableOf('harbor'), tableOf('lantern')];
  for (const table of [harbor, other]) await expect(table.locator('tr[data-id]')).toHaveCount(5);
  const expectedIds = await donationsOf(otherOrganization, '');
  expect(await idsOf(other)).toEqual(expectedIds);
  for (const { server } of [system, otherOrganization]) {
    expect(monitor.to(server, 'POST', '/component-sessions')).toHaveLength(1);
  }

  const filteredRequest = page.waitForRequest((item) => item.url().includes('created_to='));
  const query = `&created_to=${encodeURIComponent(await filterToPastDonations(harbor))}`;
  await expect.poll(() => idsOf(harbor)).toEqual(await donationsOf(system, query));
  await openFilters(other);
  await expect(other.getByLabel('To', { exact: true })).toHaveValue('');
  expect(await idsOf(other)).toEqual(expectedIds);
  await expect(other.locator('option[value^=fund_]')).toHaveText(['Books']);
  await expect(harbor.locator('option[value^=fund_]').first()).toBeAttached();
  await expect(harbor.locator('option', { hasText: 'Books' })).toHaveCount(0);

  await page.locator('#harbor').evaluate((item) => (item as HTMLElement & Signable).logout());
  await expect(harbor.getByRole('alert')).toContainText('Your session has expired');
  await expect(harbor.locator('tr[data-id]')).toHaveCount(0);
  expect(await idsOf(other)).toEqual(expectedIds);
  const refetched = page.waitForResponse((item) =>
    item.url().startsWith(`${system.api_base}/donations?`),
  );
  await other.evaluate((table) => (table as HTMLElement & Readable).refresh());
  const response = await refetched;
  expect(response.status()).toBe(200);
  const tokenOf = (item: Request) => item.headerValue('authorization');
  expect(await tokenOf(response.request())).not.toBe(await tokenOf(await filteredRequest));
  await expect.poll(() => idsOf(other)).toEqual(expectedIds);
  await expect(harbor.locator('tr[data-id]')).toHaveCount(0);
});

interface Signable {
  logout(): void;
}
interface Readable {
  refresh(): Promise<void>;
}
