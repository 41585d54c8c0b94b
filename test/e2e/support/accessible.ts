import { expect, type Page } from 'playwright/test';
import { runAxe, type Findings, type Found } from './axe.ts';

const OURS = 'connect-donate, connect-goal, connect-donations, connect-donors, connect-payouts';

/** They would be asked of the card's frame, too, once the page around it is left out. */
const OF_WHOLE_PAGES = ['region', 'landmark-one-main', 'page-has-heading-one'];

interface Look {
  direction: 'ltr' | 'rtl';
  width: number;
}

/** Of the whole page; what differs from them by direction or width is looked at in our elements alone. */
const LOOKS: readonly Look[] = [
  { direction: 'ltr', width: 1280 },
  { direction: 'ltr', width: 320 },
];

/** The elements' own tests look at their faces in all of these; here it is for what needs a whole house. */
const EVERY_LOOK: readonly Look[] = [
  ...LOOKS,
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
  face: string,
  { everyLook = false } = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { direction, width } of everyLook ? EVERY_LOOK : LOOKS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      if (everyLook) {
        await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
      }
      const where = `${face}, ${colorScheme}, ${direction}, ${width} px`;
      // Frames learn of another color scheme a moment after the page.
      await expect(async () => {
        const { violations, incomplete } = await look(page, direction === 'rtl' || width === 768);
        expect([...violations, ...incomplete].flatMap(describeNodes), where).toEqual([]);
      }).toPass({ timeout: 60_000 });
      await expectNoSidewaysScroll(page, where);
    }
  }
  if (everyLook) await page.evaluate(() => document.documentElement.removeAttribute('dir'));
}

/** At the whole page; or, which takes a machine much less, at what is ours on it. */
async function look(page: Page, oursAlone: boolean): Promise<Findings> {
  if (!oursAlone) return await runAxe(page, { include: [], exclude: [] }, {});
  const rules = OF_WHOLE_PAGES.map((rule) => [rule, { enabled: false }]);
  return await runAxe(
    page,
    { include: [OURS], exclude: [] },
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
const NOT_OF_FRAMES = ['color-contrast', 'bypass'];

/**
 * What axe found, without what it cannot see: a frame of the processor's that left while it was
 * looked at, and what is not to be asked of one that stayed.
 */
function describeNodes({ id, nodes }: Found): string[] {
  if (id === 'frame-tested') return [];
  return nodes
    .filter(({ target }) => !(NOT_OF_FRAMES.includes(id) && target.length > 1))
    .map(({ target }) => `${id}: ${target.join(' ')}`);
}
