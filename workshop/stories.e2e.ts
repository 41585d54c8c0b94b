import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test as base, type Page } from 'playwright/test';

const DIST = join(import.meta.dirname, 'dist');
const PICTURES = join(DIST, 'pictures');

interface Entry {
  id: string;
  type: string;
  title: string;
}

const { entries } = JSON.parse(readFileSync(join(DIST, 'index.json'), 'utf8')) as {
  entries: Record<string, Entry>;
};
const stories = Object.values(entries).filter(({ type }) => type === 'story');

/** WCAG 2.2 A and AA, and the best practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules for whole pages, which do not apply to a story. */
const PAGE_LEVEL_RULES = ['region', 'page-has-heading-one', 'landmark-one-main'];

/** The axe script of `@axe-core/playwright`, whose own builder opens a new page for each analysis. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Finding {
  id: string;
  nodes: { target: unknown[] }[];
}

declare const axe: {
  run: (context: Document, options: object) => Promise<{ violations: Finding[] }>;
};

/** A page that is reused for all stories of a worker, because opening a page takes longer than a story. */
const test = base.extend<object, { storyPage: Page }>({
  storyPage: [
    async ({ browser }, use) => {
      const page = await browser.newPage({
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      await page.route('https://stories.test/**', (route) => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ path: join(DIST, pathname) });
      });
      // Clear the stored data of the previous story.
      await page.addInitScript(() =>
        [localStorage, sessionStorage].forEach((item) => item.clear()),
      );
      await use(page);
      await page.close();
    },
    { scope: 'worker' },
  ],
});

/**
 * Opens a story and waits until it has finished.
 *
 * @throws the error of the story
 */
async function open(page: Page, id: string) {
  await page.setViewportSize({ width: 800, height: 600 });
  await page.goto(`https://stories.test/iframe.html?id=${id}&viewMode=story`);
  const finished = page.locator('html[data-story=finished]');
  const failed = page.locator('body.sb-show-errordisplay');
  await finished.or(failed).first().waitFor({ state: 'attached' });
  if (await failed.count()) throw new Error(await page.locator('#error-message').innerText());
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(AXE);
}

/** Returns the rules that axe finds violated, each with the first element that violates it. */
async function analyze(page: Page): Promise<string[]> {
  const rules = Object.fromEntries(PAGE_LEVEL_RULES.map((id) => [id, { enabled: false }]));
  const options = { runOnly: RULES, rules, resultTypes: ['violations'] };
  const { violations } = await page.evaluate((how) => axe.run(document, how), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.target.join(' ')}`);
}

const widthOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const { id } of stories) {
  test(`${id} passes axe in light and dark and fits into 320 px`, async ({ storyPage: page }) => {
    const pictures: Buffer[] = [];
    await open(page, id);
    for (const scheme of ['light', 'dark']) {
      await page.evaluate((item) => (document.documentElement.style.colorScheme = item), scheme);
      expect(await analyze(page), scheme).toEqual([]);
      await expect(page).toHaveScreenshot(`${id}-${scheme}.png`, { fullPage: true });
      const path = join(PICTURES, `${id}-${scheme}.png`);
      pictures.push(await page.screenshot({ fullPage: true, animations: 'disabled', path }));
    }
    expect(pictures[0]!.equals(pictures[1]!), 'dark is another picture than light').toBe(false);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await widthOf(page), 'runs over at 320 px').toBe(0);
  });
}

test('every element has stories', () => {
  const manifest = JSON.parse(
    readFileSync(join(DIST, '../../packages/elements/custom-elements.json'), 'utf8'),
  ) as { modules: { declarations: { tagName?: string }[] }[] };
  const tags = manifest.modules.flatMap(({ declarations }) => declarations);
  expect([...new Set(stories.map(({ title }) => title))].sort()).toEqual(
    tags.flatMap(({ tagName }) => tagName ?? []).sort(),
  );
});
