import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

const SIZES = [
  { width: 1280, height: 900 },
  { width: 320, height: 640 },
] as const;

/** No rule of axe is broken, nothing runs off the side, in light and in dark, wide and narrow. */
export async function expectAccessible(page: Page, face: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SIZES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      const where = `${face}, ${colorScheme}, ${viewport.width} px`;
      // Frames learn of another color scheme a moment after the page.
      await expect(async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.flatMap(describeNodes), where).toEqual([]);
      }).toPass({ timeout: 20_000 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${where}: the page scrolls sideways`).toBeLessThanOrEqual(0);
    }
  }
}

/** What axe found, without what it cannot see: the page's color behind a transparent frame. */
function describeNodes({ id, nodes }: { id: string; nodes: { target: unknown[] }[] }): string[] {
  return nodes
    .filter(({ target }) => !(id === 'color-contrast' && target.length > 1))
    .map(({ target }) => `${id}: ${target.join(' ')}`);
}
