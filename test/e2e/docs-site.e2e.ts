import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attributesOf, readDocument } from '@connect-embed/api/test-support/browser/read-document';
import { donationsOf } from '../support/donations.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { DonationForm } from './support/donate-page.ts';
import { expect, newEmail, test, type Page } from './support/fixtures.ts';

/** The docs site as `npm start` serves it. */

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist/docs');

/** The first request builds the site; its page reloads until the site is there. */
async function open(page: Page, site: string, path: string) {
  await page.goto(`${site}/docs/${path}`);
  await expect(page.locator('#VPContent')).toBeAttached({ timeout: 120_000 });
  await page.waitForFunction(() => document.readyState === 'complete');
}

test.beforeEach(({ monitor }) => monitor.allowErrors(/503 \(Service Unavailable\)/));

test('every page of the docs site loads without an error, and every link of it leads somewhere', async ({
  page,
  system,
}) => {
  await open(page, system.site, '');
  const files = globSync('**/*.html', { cwd: SITE, exclude: ['preview/**', '404.html'] });
  expect(files.length).toBeGreaterThan(80);
  const ids = new Map<string, Set<string>>();
  const links: { from: string; to: string }[] = [];
  for (const file of files) {
    const document = readDocument(readFileSync(join(SITE, file), 'utf8'));
    if (!file.startsWith('reference/'))
      expect(attributesOf(document, '*', 'style'), 'a style that the policy blocks').toEqual([]);
    ids.set(file, new Set(attributesOf(document, '*', 'id')));
    for (const to of attributesOf(document, 'a', 'href')) links.push({ from: file, to });
  }
  const broken = links.flatMap(({ from, to }) => {
    const url = new URL(to, `https://docs.test/${from}`);
    if (url.origin !== 'https://docs.test') return [];
    const path = decodeURIComponent(url.pathname)
      .slice(1)
      .replace(/(^|\/)$/, '$1index.html');
    const isKnown = ids.has(path)
      ? !url.hash ||
        path.startsWith('reference/') ||
        ids.get(path)!.has(decodeURIComponent(url.hash).slice(1))
      : globSync(path, { cwd: SITE }).length === 1;
    return isKnown ? [] : [`${from}: ${to}`];
  });
  expect(broken).toEqual([]);
});

test('the docs site loads nothing from other servers, except what the frame takes from ours', async ({
  page,
  system,
  monitor,
}) => {
  for (const path of [
    '',
    'adopting.html',
    'tables.html',
    'decisions/index.html',
    'playground.html',
  ]) {
    await open(page, system.site, path);
    await page.waitForLoadState('networkidle');
  }
  const own = [system.site, system.server, system.sandbox, new URL(system.api_base).origin];
  const others = monitor.requests.map((request) => request.url());
  expect(
    others.filter((url) => !/^(data|blob):/.test(url) && !own.includes(new URL(url).origin)),
  ).toEqual([]);
});

test('search finds a term, and the switch changes the color scheme', async ({ page, system }) => {
  await open(page, system.site, 'adopting.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('idempotency key');
  const result = page.getByRole('option').filter({ hasText: 'Idempotency' }).first();
  await expect(result).toBeVisible();
  await result.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/[Ii]dempoten|A POST/);
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  const before = await isDark();
  await page.getByRole('switch').first().click();
  expect(await isDark()).toBe(!before);
});

const GUIDES = {
  refund: 'organizations/refunds.html',
  'test mode': 'organizations/test-and-live.html',
  receipt: 'organizations/receipts.html',
  webhook: 'api/webhooks.html',
  csv: 'organizations/exports.html',
  monthly: 'organizations/recurring-donations.html',
  'rate limit': 'api/rate-limits.html',
};

test('search leads to a guide, before decision records', async ({ page, system }) => {
  await open(page, system.site, 'adopting.html');
  await page.getByRole('button', { name: 'Search' }).click();
  const results = page.getByRole('option').getByRole('link');
  for (const [query, guide] of Object.entries(GUIDES)) {
    await page.getByRole('searchbox').fill(query);
    await expect(results.first(), query).toHaveAttribute('href', new RegExp(`/docs/${guide}`));
    const addresses = await results.evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).pathname),
    );
    expect(addresses.slice(0, 5).filter((path) => path.includes('/decisions/'))).toEqual([]);
  }
});

const KINDS = {
  front: '',
  guide: 'forms.html',
  table: 'operations-settings.html',
  playground: 'playground.html',
};
for (const [kind, path] of Object.entries(KINDS)) {
  test(`the docs site is accessible: ${kind}`, async ({ page, system }) => {
    await open(page, system.site, path);
    if (!path || kind === 'playground') {
      await expect(
        page.frameLocator('.preview-frame').locator('connect-donate form'),
      ).toBeVisible();
    }
    await expectAccessible(page, kind);
  });
}

test('the playground makes a donation in the sandbox', async ({ page, system }) => {
  const email = newEmail();
  await open(page, system.site, 'playground.html');
  const frame = page.frameLocator('.preview-frame');
  await page.getByLabel('amount', { exact: true }).fill('75');
  await page.getByLabel('amount', { exact: true }).blur();
  await expect(frame.getByRole('button', { name: 'Give $75' })).toBeVisible();
  const card = frame.frameLocator('connect-donate iframe').first();
  const donor = new DonationForm(frame.locator('connect-donate'), card);
  await donor.fillDonor({ email });
  await donor.fillCard();
  await donor.submitButton.click();
  await donor.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('the playground shows each element with sample data, in a state and a language', async ({
  page,
  context,
  system,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, system.site, 'playground.html');
  const frame = page.frameLocator('.preview-frame');
  const drawn = frame.locator('html[data-preview=drawn]');
  await page.getByLabel('Sample data').check();
  for (const tag of await page
    .getByLabel('Element', { exact: true })
    .locator('option')
    .allInnerTexts()) {
    await page.getByLabel('Element', { exact: true }).selectOption(tag);
    await expect(frame.locator(tag).first()).toBeAttached();
    await expect(drawn).toBeAttached();
  }
  await page.getByLabel('Element', { exact: true }).selectOption('connect-donations');
  await page.getByLabel('State').selectOption('empty');
  await page.getByLabel('locale', { exact: true }).selectOption('ar');
  await page.getByLabel('live', { exact: true }).check();
  await expect(frame.locator('connect-donations[locale=ar]')).toBeAttached();
  await page.getByRole('radio', { name: 'Vue' }).check();
  await page.getByRole('button', { name: 'Copy code' }).click();
  await expect(page.getByText('Vue code copied.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('@connect-embed/elements/define/connect-donations.js');
  expect(copied).toMatch(/<connect-donations[^>]*\slive\b/);
});

test('the Markdown of each page is listed in llms.txt, and the API reference is drawn', async ({
  page,
  system,
  request,
}) => {
  await open(page, system.site, 'index.html');
  const index = await (await request.get(`${system.site}/docs/llms.txt`)).text();
  const listed = [...index.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path]) => path!);
  const pages = globSync('**/*.html', {
    cwd: SITE,
    exclude: ['preview/**', 'reference/**', '404.html'],
  });
  const paths = pages
    .map((path) => path.replace(/html$/, 'md'))
    .filter((path) => path !== 'index.md');
  expect(listed.sort()).toEqual(paths.sort());
  for (const path of ['index.md', 'adopting.md', 'api/index.md']) {
    const text = await (await request.get(`${system.site}/docs/${path}`)).text();
    expect(text).toMatch(/^# /);
  }
  await page.goto(`${system.site}/docs/reference/`);
  await expect(page.getByRole('heading', { name: 'Connect API', level: 1 })).toBeVisible();
  await expect(page.locator('#swagger-ui').getByText('Create a payment intent')).toBeVisible();
});

test('the docs site, exported below a path, is complete without a server of ours', async ({
  page,
  system,
}) => {
  await open(page, system.site, '');
  await page.route('https://docs.example/help/**', (route) => {
    const path = new URL(route.request().url()).pathname.slice('/help/'.length);
    return route.fulfill({ path: join(SITE, path.replace(/(^|\/)$/, '$1index.html')) });
  });
  await page.goto('https://docs.example/help/api/');
  await page.getByRole('link', { name: 'Playground' }).first().click();
  await expect(page.frameLocator('.preview-frame').locator('connect-donate form')).toBeVisible();
  await expect(page.getByLabel('State')).toBeVisible();
  await expect(page.getByLabel('Live data')).toHaveCount(0);
});
