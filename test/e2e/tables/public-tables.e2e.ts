import type { Donation } from '@connect-embed/contract';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDedicatedServer } from '../../support/dedicated-server.ts';
import { expect, providerTag, readViewerSecret, test as base } from './embedded-tables.ts';
import { callApi } from './call-api.ts';

/** A BFF whose configuration makes the donations public: docs/tables-for-platforms.md */
const test = base.extend<{ publicServer: string }>({
  publicServer: async ({ system, pages, page }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'connect-public-'));
    const config = join(folder, 'connect.config.mjs');
    await writeFile(config, "export default { publicTables: { components: ['donations'] } };\n");
    const ownServer = await startDedicatedServer(system, {
      ALLOWED_ORIGINS: pages,
      CONNECT_CONFIG: config,
      VIEWER_SECRET: readViewerSecret(),
    });
    await use(ownServer.url);
    await page.close();
    await ownServer.close();
    await rm(folder, { recursive: true });
  },
});

/** Initials such as `A. L.`, or Anonymous. */
const INITIALS = /^(\p{L}\.\s?)+$|^Anonymous$/u;

test('a public page gets initials and no email addresses, whatever it requests', async ({
  page,
  system,
  publicServer,
  embed,
}) => {
  const responseBodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(system.api_base) && response.request().method() === 'GET') {
      responseBodies.push(response.text());
    }
  });
  await embed(`<connect-donations server="${publicServer}" columns="donor email amount" limit="20"
    refresh-seconds="0" tools="totals chart"></connect-donations>`);
  const table = page.locator('connect-donations');
  await expect(table.locator('tr[data-id]')).toHaveCount(20);
  await expect(table.getByRole('columnheader')).toHaveText(['Donor', 'Amount']);
  for (const name of await table.getByRole('rowheader').allTextContents()) {
    expect(name.trim()).toMatch(INITIALS);
  }
  await table.locator('tr[data-id]').first().getByRole('button').click();
  await expect(table.getByRole('dialog').getByText('Loading…')).toHaveCount(0);
  await expect(table.getByRole('dialog')).not.toContainText('@');

  const { data } = await callApi<{ data: Donation[] }>(system, '/donations?limit=20');
  const allBodies = (await Promise.all(responseBodies)).join('\n');
  for (const { donor_name, donor_email } of data) {
    if (donor_email) expect(allBodies).not.toContain(donor_email);
    if (donor_name?.includes(' ')) expect(allBodies).not.toContain(`"${donor_name}"`);
  }
});

test('two providers on a page are two viewers with separate permissions', async ({
  page,
  publicServer,
  embed,
  monitor,
}) => {
  const table = '<connect-donations limit="5" refresh-seconds="0"></connect-donations>';
  const open = `<connect-provider id="public" server="${publicServer}">${table}</connect-provider>`;
  await embed(providerTag(publicServer, table, { id: 'staff' }) + open);
  const namesIn = (id: string) => page.locator(`#${id} tr[data-id]`).getByRole('rowheader');
  for (const id of ['staff', 'public']) await expect(namesIn(id)).toHaveCount(5);
  for (const name of await namesIn('public').allTextContents()) {
    expect(name.trim()).toMatch(INITIALS);
  }
  const known = await namesIn('staff').allTextContents();
  expect(known.some((name) => !INITIALS.test(name.trim()))).toBe(true);
  expect(monitor.to(publicServer, 'POST', '/component-sessions')).toHaveLength(2);
});
