import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { startOauth, OWNER } from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, readDocument } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const PATH = '/help/organizations';
const FOLDER = new URL('../../../../docs/organizations/', import.meta.url);
const PAGES = globSync('*.md', { cwd: FOLDER })
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''));

describe('the manual for organizations', () => {
  test('lists every page, and its overview does, too', async () => {
    const first = await (await api.app.request(`${PATH}/first-form`)).text();
    const links = attributesOf(readDocument(first), `nav a[href^="${PATH}/"]`, 'href');
    assert.deepEqual(links.map((href) => href.slice(PATH.length + 1)).sort(), PAGES.toSorted());
    const overview = readFileSync(new URL('README.md', FOLDER), 'utf8');
    for (const page of PAGES) assert.ok(overview.includes(`(${page}.md)`), page);
  });

  for (const name of PAGES) {
    test(`${name} has pictures and links that work`, async () => {
      const response = await api.app.request(`${PATH}/${name}`);
      assert.equal(response.status, 200);
      const page = readDocument(await response.text());
      const addresses = [
        ...attributesOf(page, 'main img[alt]:not([alt=""])', 'src'),
        ...attributesOf(page, 'main a', 'href'),
      ].map((address) => new URL(address, `http://localhost${PATH}/${name}`).pathname);
      assert.equal(addresses.length, page.querySelectorAll('main :is(img, a)').length);
      for (const address of addresses) {
        assert.equal((await api.app.request(address)).status, 200, address);
      }
    });
  }

  for (const [path, page] of [
    ['', 'this-month'],
    ['/forms', 'first-form'],
    ['/allowed-sites', 'first-form'],
    ['/go-live', 'test-and-live'],
    ['/forms/form_website/share', 'sharing'],
    ['/forms/form_website/picture', 'sharing'],
    ['/campaigns', 'campaigns'],
    ['/funds', 'funds'],
    ['/donations', 'finding-donations'],
    ['/donations/don_4/refund', 'refunds'],
    ['/donations/refunds', 'refunds'],
    ['/donations/disputes', 'disputes'],
    ['/donations/don_4/receipt', 'receipts'],
    ['/receipts', 'receipts'],
    ['/plans/failing', 'recurring-donations'],
    ['/donors', 'donors'],
    ['/donors/dnr_1/merge', 'donors'],
    ['/payouts', 'exports'],
    ['/payouts/unpaid', 'exports'],
    ['/team', 'team'],
  ]) {
    test(`${page} is the help of ${path}`, async () => {
      const { document } = await visitor().openAs(OWNER, `/dashboard/org_harbor${path}`);
      assert.deepEqual(attributesOf(document, '.title .help', 'href'), [`${PATH}/${page}`]);
    });
  }

  for (const path of ['/dashboard/account', '/dashboard/account/two-step']) {
    test(`team is the help of ${path}`, async () => {
      const { document } = await visitor().openAs(OWNER, path);
      assert.deepEqual(attributesOf(document, '.title .help', 'href'), [`${PATH}/team`]);
    });
  }
});
