import { expect, type Page } from 'playwright/test';
import { runAxe, type AxeResults, type AxeFinding } from './run-axe.ts';

const ELEMENTS = 'connect-donate, connect-goal, connect-donations, connect-donors, connect-payouts';

/** Rules for whole pages. axe would apply them to the card form's frame when the page is excluded. */
const PAGE_LEVEL_RULES = ['region', 'landmark-one-main', 'page-has-heading-one'];

interface Layout {
  colorScheme: 'light' | 'dark';
  direction: 'ltr' | 'rtl';
  width: number;
}

/**
 * One layout is light and wide, the other dark and narrow: colors depend on the scheme, and overlapping
 * content on the width, so that the other two combinations would find the same again.
 */
const LAYOUTS: readonly Layout[] = [
  { colorScheme: 'light', direction: 'ltr', width: 1280 },
  { colorScheme: 'dark', direction: 'ltr', width: 320 },
];

/**
 * Also right to left and at the width of a tablet, for the form with Stripe's frames. The other view
 * states of the elements are stories, which have their own checks: packages/workshop/stories.e2e.ts
 */
const ALL_LAYOUTS: readonly Layout[] = [
  ...LAYOUTS,
  { colorScheme: 'light', direction: 'rtl', width: 320 },
  { colorScheme: 'dark', direction: 'rtl', width: 1280 },
  { colorScheme: 'light', direction: 'ltr', width: 768 },
  { colorScheme: 'dark', direction: 'rtl', width: 768 },
];

/**
 * Expects that axe finds nothing, violations or undecided, and that nothing overflows horizontally:
 * in light and dark, wide and narrow.
 *
 * @param options.allLayouts whether to check all layouts: also right to left, and at the width of a
 *   tablet
 */
export async function expectAccessible(
  page: Page,
  viewState: string,
  { allLayouts = false } = {},
): Promise<void> {
  for (const { colorScheme, direction, width } of allLayouts ? ALL_LAYOUTS : LAYOUTS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    if (allLayouts) await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
    const where = `${viewState}, ${colorScheme}, ${direction}, ${width} px`;
    await setPosition(page, 'static');
    // Retried, because frames receive a new color scheme a moment after the page.
    await expect(async () => {
      const { violations, incomplete } = await analyze(page, direction === 'rtl' || width === 768);
      expect([...violations, ...incomplete].flatMap(describeNodes), where).toEqual([]);
    }).toPass({ timeout: 60_000 });
    await setPosition(page, '');
    await expectNoSidewaysScroll(page, where);
  }
  if (allLayouts) await page.evaluate(() => document.documentElement.removeAttribute('dir'));
}

/** Puts bars that stay in view in their own place: axe cannot tell the color behind text that is under one. */
const setPosition = (page: Page, position: 'static' | '') =>
  page.locator('.save-bar').evaluateAll((bars: HTMLElement[], position) => {
    for (const bar of bars) bar.style.position = position;
  }, position);

/** Checks the whole page or only our elements, which is much faster. */
async function analyze(page: Page, elementsOnly: boolean): Promise<AxeResults> {
  if (!elementsOnly) return await runAxe(page, { include: [], exclude: [] }, {});
  const rules = PAGE_LEVEL_RULES.map((rule) => [rule, { enabled: false }]);
  return await runAxe(
    page,
    { include: [ELEMENTS], exclude: [] },
    { rules: Object.fromEntries(rules) as object },
  );
}

export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${where}: the page scrolls sideways`).toBeLessThanOrEqual(0);
}

/**
 * Rules that do not apply to the processor's frames: axe cannot see the color behind a frame, and a
 * frame is no page of its own.
 */
const NOT_FOR_FRAMES = ['color-contrast', 'bypass'];

/**
 * Describes the findings without false positives: a frame of the processor that was removed during
 * the check, and rules that do not apply to frames.
 */
function describeNodes({ id, nodes }: AxeFinding): string[] {
  if (id === 'frame-tested') return [];
  return nodes
    .filter(({ target }) => !(NOT_FOR_FRAMES.includes(id) && target.length > 1))
    .map(({ target }) => `${id}: ${target.join(' ')}`);
}
