import { expect, type Page } from 'playwright/test';
import { runAxe, type AxeResults, type AxeFinding } from './run-axe.ts';

const ELEMENTS = 'connect-donate, connect-goal, connect-donations, connect-donors, connect-payouts';

/** They would be asked of the card's frame, too, once the page around it is left out. */
const PAGE_LEVEL_RULES = ['region', 'landmark-one-main', 'page-has-heading-one'];

interface Layout {
  direction: 'ltr' | 'rtl';
  width: number;
}

/** Of the whole page; what differs from them by direction or width is looked at in our elements alone. */
const LAYOUTS: readonly Layout[] = [
  { direction: 'ltr', width: 1280 },
  { direction: 'ltr', width: 320 },
];

/** The elements' own tests look at their faces in all of these; here it is for what needs a whole house. */
const ALL_LAYOUTS: readonly Layout[] = [
  ...LAYOUTS,
  { direction: 'ltr', width: 768 },
  ...[1280, 768, 320].map((width) => ({ direction: 'rtl', width }) as const),
];

/**
 * No rule of axe is broken or left to doubt, and nothing runs off the side: in light and in dark,
 * on a desk and on a phone.
 *
 * @param options.everyLook from the right and on a tablet as well
 */
export async function expectAccessible(
  page: Page,
  viewState: string,
  { everyLook = false } = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { direction, width } of everyLook ? ALL_LAYOUTS : LAYOUTS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      if (everyLook) {
        await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
      }
      const where = `${viewState}, ${colorScheme}, ${direction}, ${width} px`;
      // Frames learn of another color scheme a moment after the page.
      await expect(async () => {
        const { violations, incomplete } = await analyze(
          page,
          direction === 'rtl' || width === 768,
        );
        expect([...violations, ...incomplete].flatMap(describeNodes), where).toEqual([]);
      }).toPass({ timeout: 60_000 });
      await expectNoSidewaysScroll(page, where);
    }
  }
  if (everyLook) await page.evaluate(() => document.documentElement.removeAttribute('dir'));
}

/** At the whole page; or, which takes a machine much less, at what is ours on it. */
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

/** What a frame of the processor's cannot be asked: the color behind it, and to be a page of its own. */
const NOT_FOR_FRAMES = ['color-contrast', 'bypass'];

/**
 * What axe found, without what it cannot see: a frame of the processor's that left while it was
 * looked at, and what is not to be asked of one that stayed.
 */
function describeNodes({ id, nodes }: AxeFinding): string[] {
  if (id === 'frame-tested') return [];
  return nodes
    .filter(({ target }) => !(NOT_FOR_FRAMES.includes(id) && target.length > 1))
    .map(({ target }) => `${id}: ${target.join(' ')}`);
}
