import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser } from 'playwright';
import { launchOptions } from '../../../../test/support/launch-options.ts';
import { componentSession, openApplication } from '../application-page.ts';
import { buildExample, EXAMPLES } from '../examples.ts';
import { InstalledSite } from '../installed-site.ts';

const FILES = ['react.tsx', 'Donations.vue', 'Donations.svelte', 'angular.ts'];

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

describe('docs/recipes.md', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/recipes.md'), 'utf8');
  for (const file of globSync('*/*', { cwd: EXAMPLES })) {
    test(`shows packages/publish/examples/${file}`, () => {
      const text = readFileSync(join(EXAMPLES, file), 'utf8');
      assert.ok(guide.includes(`\`\`\`${file.split('.').at(-1)}\n${text}\`\`\``), file);
    });
  }
});

describe('a table with custom cells, a number as a text and a late token', () => {
  for (const file of FILES) {
    test(`tables/${file}`, async () => {
      const token = Promise.withResolvers<string>();
      const { page, sessions, queries, problems } = await openApplication(browser, {
        script: await buildExample(site, `tables/${file}`),
        respond: async (path, route) => {
          if (path === '/viewer-token') await route.fulfill({ body: await token.promise });
          else await route.fulfill({ status: 404 });
        },
      });
      await page.locator('connect-donations .skeleton').waitFor({ state: 'attached' });
      await page.waitForLoadState('load');
      assert.deepEqual(sessions, [], 'no request before the token');
      token.resolve('viewer');

      const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
      await row.getByText('25 dollars').waitFor();
      assert.equal(await row.locator('b').textContent(), 'Ada Lovelace');
      assert.deepEqual(sessions, ['Bearer viewer']);
      assert.equal(queries[0]!.get('limit'), '10');
      assert.equal(await page.getByRole('alert').count(), 0);
      assert.deepEqual(
        problems.filter((line) => !line.includes('favicon')),
        [],
      );
      await page.close();
    });
  }

  test('tables/react.tsx under a strict policy with Trusted Types', async () => {
    const connect = 'connect-src https://owner.example https://giving.example.org';
    const policy = `default-src 'none'; script-src https://owner.example; ${connect}; style-src 'none'`;
    const { page, problems } = await openApplication(browser, {
      script: await buildExample(site, 'tables/react.tsx'),
      headers: {
        'content-security-policy': `${policy}; require-trusted-types-for 'script'; trusted-types lit-html`,
      },
      respond: (_, route) => route.fulfill({ body: 'viewer' }),
    });
    const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
    await row.getByText('25 dollars').waitFor();
    assert.deepEqual(
      problems.filter((line) => /TrustedHTML|Trusted Type|script/i.test(line)),
      [],
    );
    await page.close();
  });
});

describe('a table with the page’s own session request', () => {
  for (const file of FILES) {
    test(`sessions/${file}`, async () => {
      const { page, sessions } = await openApplication(browser, {
        script: await buildExample(site, `sessions/${file}`),
        respond: async (path, route) => {
          const isSession = path === '/giving-session' && route.request().method() === 'POST';
          await route.fulfill(isSession ? { json: componentSession() } : { status: 404 });
        },
      });
      await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor();
      assert.deepEqual(sessions, [], 'no request to the Connect server');
      await page.close();
    });
  }

  test('that fails is an error in the table, and names the status in the console', async () => {
    const { page, problems } = await openApplication(browser, {
      script: await buildExample(site, 'sessions/react.tsx'),
      respond: (_, route) => route.fulfill({ status: 401 }),
    });
    await page.getByRole('alert').waitFor();
    assert.ok(problems.some((line) => line.includes('/giving-session: status 401')));
    await page.close();
  });
});
