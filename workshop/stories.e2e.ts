import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from 'playwright/test';

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

/** WCAG 2.2 AA, and what axe calls good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules of a whole page, which a story is not. */
const OF_PAGES = ['region', 'page-has-heading-one', 'landmark-one-main'];

/** Opens a story and waits until it has been told to its end; fails as it failed. */
async function open(page: Page, id: string, scheme: string) {
  await page.route('https://stories.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(DIST, pathname) });
  });
  await page.goto(
    `https://stories.test/iframe.html?id=${id}&viewMode=story&globals=scheme:${scheme}`,
  );
  const told = page.locator('html[data-story=told]');
  const broken = page.locator('body.sb-show-errordisplay');
  await told.or(broken).first().waitFor({ state: 'attached' });
  if (await broken.count()) throw new Error(await page.locator('#error-message').innerText());
  await page.evaluate(() => document.fonts.ready);
}

const widthOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const { id } of stories) {
  test(`${id} is fit to be seen, and to be heard`, async ({ page }) => {
    const pictures: Buffer[] = [];
    for (const scheme of ['light', 'dark']) {
      await open(page, id, scheme);
      const axe = new AxeBuilder({ page }).withTags(RULES).disableRules(OF_PAGES);
      const { violations } = await axe.analyze();
      const found = violations.map((rule) => `${rule.id}: ${rule.nodes[0]!.target.join(' ')}`);
      expect(found, scheme).toEqual([]);
      await expect(page).toHaveScreenshot(`${id}-${scheme}.png`, { fullPage: true });
      const path = join(PICTURES, `${id}-${scheme}.png`);
      pictures.push(await page.screenshot({ fullPage: true, animations: 'disabled', path }));
    }
    expect(pictures[0]!.equals(pictures[1]!), 'dark is another picture than light').toBe(false);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await widthOf(page), 'runs over at 320 px').toBe(0);
  });
}

test('every element has its stories', () => {
  const manifest = JSON.parse(
    readFileSync(join(DIST, '../../packages/elements/custom-elements.json'), 'utf8'),
  ) as { modules: { declarations: { tagName?: string }[] }[] };
  const tags = manifest.modules.flatMap(({ declarations }) => declarations);
  expect([...new Set(stories.map(({ title }) => title))].sort()).toEqual(
    tags.flatMap(({ tagName }) => tagName ?? []).sort(),
  );
});
