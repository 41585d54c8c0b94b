import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright';
import {
  donation,
  formSession,
  pageSession,
} from '../../packages/elements/src/test-support/server.ts';
import { launchOptions } from '../../test/support/launch-options.ts';
import { buildExample } from './examples.ts';
import { InstalledSite } from './installed-site.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'publish/examples');
const SERVER = 'https://giving.example.org';

const site = new InstalledSite([
  ...['react', 'react-dom', 'svelte', 'vue'],
  ...['@angular/core', '@angular/compiler', '@angular/platform-browser'],
]);
let browser: Browser;
before(async () => (browser = await chromium.launch(launchOptions())));
after(async () => {
  await browser.close();
  site.remove();
});

/** Authorization headers of the requests for component sessions. */
let sessions: string[] = [];

/** Opens a page with an application, and fakes the server that it uses. */
async function open(html: string, script = ''): Promise<Page> {
  const page = await browser.newPage();
  sessions = [];
  await page.route('https://owner.example/**', (route) => {
    if (route.request().url().endsWith('/app.js')) {
      return route.fulfill({ contentType: 'text/javascript', body: script });
    }
    return route.fulfill({ contentType: 'text/html', body: html });
  });
  await page.route(`${SERVER}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (pathname.endsWith('/component-sessions')) {
      sessions.push(route.request().headers()['authorization'] ?? 'no token');
      const session = { ...pageSession(['donations']), api_base: `${SERVER}/api/v1` };
      return route.fulfill({ headers, status: 201, json: session });
    }
    if (pathname.endsWith('/donations')) {
      const data = [donation(1, { donor_name: 'Ada Lovelace', amount_cents: 2500 })];
      return route.fulfill({ headers, json: { data, has_more: false, next_cursor: null } });
    }
    if (!pathname.endsWith('/embed-sessions')) {
      const path = join(ROOT, 'packages/elements/dist', pathname);
      return route.fulfill({ headers, contentType: 'text/javascript', path });
    }
    return route.fulfill({ headers, status: 201, json: formSession() });
  });
  await page.goto('https://owner.example/');
  return page;
}

async function expectForm(page: Page) {
  await page.getByText('Ready', { exact: true }).waitFor();
  assert.equal(await page.getByRole('radio', { name: '$25' }).count(), 1);
  const form = page.locator('connect-donate');
  assert.equal(await form.evaluate((element) => (element as { form?: string }).form), 'meals');
  await page.close();
}

describe('docs/adopting.md', () => {
  const guide = readFileSync(join(ROOT, 'docs/adopting.md'), 'utf8');
  for (const file of globSync('*', { cwd: EXAMPLES })) {
    test(`shows publish/examples/${file}`, () => {
      const text = readFileSync(join(EXAMPLES, file), 'utf8');
      assert.ok(guide.includes(`\`\`\`${file.split('.').at(-1)}\n${text}\`\`\``), file);
    });
  }
});

describe('an example', () => {
  test('as a script tag draws the form', async () => {
    assert.ok(existsSync(join(ROOT, 'packages/elements/dist/connect.js')), 'npm run build');
    await expectForm(await open(readFileSync(join(EXAMPLES, 'script.html'), 'utf8')));
  });

  const html = '<!doctype html><main></main><script type="module" src="/app.js"></script>';
  for (const file of ['react.tsx', 'react-tags.tsx', 'Give.vue', 'Give.svelte', 'angular.ts']) {
    test(`in ${file} draws the form, sets its properties and receives its events`, async () => {
      await expectForm(await open(html, await buildExample(site, file)));
    });
  }

  for (const file of ['donations.tsx', 'Donations.vue']) {
    test(`in ${file} draws a table with custom cells once the token is set`, async () => {
      const page = await open(html, await buildExample(site, file));
      const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
      await row.getByText('25 dollars').waitFor();
      assert.equal(await row.locator('b').textContent(), 'Ada Lovelace');
      assert.deepEqual(sessions, ['Bearer viewer']);
      await page.close();
    });
  }

  test('with only a bundler draws the form', async () => {
    const loadingHtml = html.replace('</main>', '</main><p>Loading</p>');
    await expectForm(await open(loadingHtml, await buildExample(site, 'npm.js')));
  });

  test('on a server renders the bare tag', () => {
    writeFileSync(join(site.folder, 'server.mjs'), readFileSync(join(EXAMPLES, 'server.js')));
    const html = execFileSync(process.execPath, ['server.mjs'], {
      cwd: site.folder,
      encoding: 'utf8',
    });
    assert.match(html, /^<connect-donate.*><a href="mailto:/);
  });
});
