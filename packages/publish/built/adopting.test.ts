import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright';
import { launchOptions } from '../../../test/support/launch-options.ts';
import { APPLICATION_HTML, openApplication } from './application-page.ts';
import { buildExample, EXAMPLES } from './examples.ts';
import { InstalledSite } from './installed-site.ts';

const ROOT = join(import.meta.dirname, '../../..');

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

const open = async (html: string, script?: string) =>
  (await openApplication(browser, { html, script })).page;

async function expectForm(page: Page) {
  await page.getByText('Ready', { exact: true }).waitFor();
  assert.equal(await page.getByRole('radio', { name: '$25' }).count(), 1);
  const form = page.locator('connect-donate');
  assert.equal(await form.evaluate((element) => (element as { form?: string }).form), 'meals');
  await page.close();
}

describe('docs/adopting.md', () => {
  const guide = readFileSync(join(ROOT, 'docs/adopting.md'), 'utf8');
  for (const file of globSync('*.*', { cwd: EXAMPLES })) {
    test(`shows packages/publish/examples/${file}`, () => {
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

  for (const file of ['react.tsx', 'react-tags.tsx', 'Give.vue', 'Give.svelte', 'angular.ts']) {
    test(`in ${file} draws the form, sets its properties and receives its events`, async () => {
      await expectForm(await open(APPLICATION_HTML, await buildExample(site, file)));
    });
  }

  test('with only a bundler draws the form', async () => {
    const loadingHtml = APPLICATION_HTML.replace('</main>', '</main><p>Loading</p>');
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
