import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test as base, type Page } from 'playwright/test';
import { STORIES_URL_VARIABLE } from './serve-stories.ts';

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
/** Rules that axe runs only on request: WCAG 2.5.3 Label in Name. */
const EXPERIMENTAL_RULES = ['label-content-name-mismatch'];
/** Rules for whole pages, which do not apply to a story. */
const PAGE_LEVEL_RULES = ['region', 'page-has-heading-one', 'landmark-one-main', 'bypass'];

/** The axe script; `@axe-core/playwright` would open a new page for each analysis. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { target: unknown[]; any: { message: string }[] }[];
}

declare const axe: {
  run: (
    context: Document,
    options: object,
  ) => Promise<{ violations: Finding[]; incomplete: Finding[] }>;
};

/**
 * The narrowest viewport: elements are 280 px wide, because a story has a padding of 16 px. A chart with
 * sums of six digits needs 284 px; one with smaller sums fits (`tables/chart.test.ts` of the elements).
 */
const narrowest = (id: string) => (id.includes('--chart') ? 320 : 312);

/** A page that is reused for all stories of a worker, because opening a page takes longer than a story. */
const test = base.extend<object, { storyPage: Page }>({
  storyPage: [
    async ({ browser }, use) => {
      const page = await browser.newPage({
        locale: 'en-US',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        baseURL: process.env[STORIES_URL_VARIABLE]!,
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
  await page.goto(`/iframe.html?id=${id}&viewMode=story`);
  const finished = page.locator('html[data-story=finished]');
  const failed = page.locator('body.sb-show-errordisplay');
  await finished.or(failed).first().waitFor({ state: 'attached' });
  if (await failed.count()) throw new Error(await page.locator('#error-message').innerText());
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(AXE);
}

/**
 * Stories in which other content lies over a text, so that axe cannot decide about its contrast. A
 * contrast that it finds too low still fails.
 */
const UNDECIDED_CONTRAST = [
  'connect-donate--open-dialog',
  'connect-donations--other-currencies',
  'connect-goal--load-error-with-content',
];

/**
 * Returns the rules that axe finds violated, or cannot decide ("incomplete"), each with the first
 * element.
 */
async function analyze(page: Page, id: string, disabledRules: string[] = []): Promise<string[]> {
  await page.evaluate(cancelAnimations);
  const disabled = [...PAGE_LEVEL_RULES, ...disabledRules];
  const rules = Object.fromEntries([
    ...disabled.map((rule) => [rule, { enabled: false }] as const),
    ...EXPERIMENTAL_RULES.map((rule) => [rule, { enabled: true }] as const),
  ]);
  const options = { runOnly: RULES, rules, resultTypes: ['violations', 'incomplete'] };
  const { violations, incomplete } = await page.evaluate((how) => axe.run(document, how), options);
  const undecided = incomplete.filter(
    (finding) => !(finding.id === 'color-contrast' && UNDECIDED_CONTRAST.includes(id)),
  );
  return [...violations, ...undecided].map((finding) => {
    const { target, any } = finding.nodes[0]!;
    return `${finding.id}: ${target.flat().join(' ')} (${any[0]?.message ?? ''})`;
  });
}

/** Ends animations and transitions, in which colors and positions are not the final ones. Runs in the page. */
function cancelAnimations(): void {
  const cancelIn = (root: Document | ShadowRoot) => {
    for (const animation of root.getAnimations()) animation.cancel();
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) cancelIn(shadowRoot);
  };
  cancelIn(document);
}

async function setLayout(page: Page, direction: 'ltr' | 'rtl', width: number): Promise<void> {
  await page.setViewportSize({ width, height: 640 });
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
}

/** Returns what is wider than its space: the page, or the frame of an element. */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')].filter((one) => one.shadowRoot);
    const frames = elements.flatMap((one) => [...one.shadowRoot!.querySelectorAll('.frame')]);
    return [document.documentElement, ...frames]
      .filter((box) => box.scrollWidth > box.clientWidth)
      .map(
        (box) => `${box.localName}.${box.className}: ${box.scrollWidth} > ${box.clientWidth} px`,
      );
  });

const setScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.evaluate((item) => (document.documentElement.style.colorScheme = item), scheme);

for (const { id } of stories) {
  test(`${id} passes axe in light and dark, and fits at every width in both directions`, async ({
    storyPage: page,
  }) => {
    const pictures: Buffer[] = [];
    const takePicture = (condition: string) =>
      page.screenshot({
        fullPage: true,
        animations: 'disabled',
        path: join(PICTURES, `${id}-${condition}.png`),
      });
    await open(page, id);
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect(await analyze(page, id), scheme).toEqual([]);
      await expect(page).toHaveScreenshot(`${id}-${scheme}.png`, { fullPage: true });
      pictures.push(await takePicture(scheme));
    }
    expect(pictures[0]!.equals(pictures[1]!), 'dark is another picture than light').toBe(false);
    await setLayout(page, 'rtl', narrowest(id));
    // Colors do not depend on the layout, and are the slowest rule.
    expect(await analyze(page, id, ['color-contrast']), 'narrow, right to left').toEqual([]);
    for (const direction of ['ltr', 'rtl'] as const) {
      for (const width of [narrowest(id), 800, 1312]) {
        await setLayout(page, direction, width);
        // Polled, because a chart is drawn again after the resize.
        const where = `overflow: ${direction}, ${width} px`;
        await expect.poll(() => findOverflow(page), where).toEqual([]);
      }
    }
    if (process.env['CI']) return; // These pictures are for people; nothing compares them.
    await setLayout(page, 'rtl', narrowest(id));
    await takePicture('narrow-rtl');
    await setLayout(page, 'ltr', narrowest(id));
    await page.emulateMedia({ forcedColors: 'active' });
    await takePicture('forced-colors');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await takePicture('large-text');
  });
}

test('every element has stories', () => {
  const manifest = JSON.parse(
    readFileSync(join(DIST, '../../elements/custom-elements.json'), 'utf8'),
  ) as { modules: { declarations: { tagName?: string }[] }[] };
  const tags = manifest.modules.flatMap(({ declarations }) => declarations);
  expect([...new Set(stories.map(({ title }) => title))].sort()).toEqual(
    tags.flatMap(({ tagName }) => tagName ?? []).sort(),
  );
});
