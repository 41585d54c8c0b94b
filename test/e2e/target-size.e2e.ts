import type { Page } from 'playwright/test';
import { expect, test } from './support/fixtures.ts';

/** Minimum by WCAG 2.5.8; links within a sentence are exempt. */
const MIN_TARGET_PX = 24;
/** Minimum for touch by WCAG 2.5.5. */
const MIN_TOUCH_TARGET_PX = 44;

/** Returns every control of a page, also in shadow roots, that is below the minimum height. */
const controlsBelowHeight = (page: Page, least: number, within?: string) =>
  page.evaluate(
    ([px, only]) => {
      const CONTROLS =
        'button, summary, select, textarea, nav a, .button, .back, input:not([type=hidden])';
      const found: string[] = [];
      const collect = (root: ParentNode) => {
        for (const node of root.querySelectorAll('*')) {
          if (!(node instanceof HTMLElement)) continue;
          if (node.shadowRoot) collect(node.shadowRoot);
          if (!node.matches(CONTROLS) || !node.checkVisibility({ visibilityProperty: true }))
            continue;
          if (node.closest('.hidden, [inert]')) continue;
          // The target is the label of a checkbox, or the row that contains the control.
          const box = node.matches('[type=checkbox], [type=radio]') ? node.closest('label') : node;
          const row = node.closest('tbody tr[data-id]');
          const clipped =
            node.closest('thead')?.closest('table') &&
            getComputedStyle(node.closest('thead')!).position === 'absolute';
          if (!box || clipped) continue;
          const { height } = (row ?? box).getBoundingClientRect();
          if (height > 0 && height < px - 0.5) {
            found.push(
              `${node.localName}.${node.className} "${node.textContent.trim()}": ${height}`,
            );
          }
        }
      };
      // The platform's page around the tables is not ours.
      if (!only) collect(document);
      for (const table of only ? document.querySelectorAll(only) : []) collect(table.shadowRoot!);
      return found;
    },
    [least, within] as const,
  );

const TABLES = 'connect-donations, connect-donors, connect-payouts';

const DASHBOARD_PAGES = [
  '',
  '/donations',
  '/donors',
  '/payouts',
  '/plans',
  '/team',
  '/webhooks',
  '/api-keys',
];

for (const [pointer, minPx, use] of [
  ['a mouse', MIN_TARGET_PX, {}],
  ['a touch screen', MIN_TOUCH_TARGET_PX, { hasTouch: true, isMobile: true }],
] as const) {
  test.describe(`for ${pointer} every control is at least ${minPx} px high`, () => {
    test.use({ viewport: { width: 1024, height: 900 }, ...use });

    test('of the tables', async ({ platform }) => {
      await platform.open();
      const { page, donations } = platform;
      await donations.evaluate((table) =>
        Object.assign(table, { tools: 'search filters columns totals chart export print' }),
      );
      await expect(donations.getByRole('button', { name: 'Print' })).toBeVisible();
      await expect(donations.locator('.chart .bars')).toBeVisible();
      for (const tool of ['Filters', 'Columns']) {
        await donations.getByRole('button', { name: tool }).click();
        expect(await controlsBelowHeight(page, minPx, TABLES), tool).toEqual([]);
      }
      await donations.locator('tr[data-id]').first().click();
      await expect(donations.getByRole('dialog')).toBeVisible();
      expect(await controlsBelowHeight(page, minPx, TABLES)).toEqual([]);
    });

    test('of the dashboard', async ({ dashboard, page }) => {
      await dashboard.signIn();
      for (const path of DASHBOARD_PAGES) {
        await dashboard.open(path);
        expect(await controlsBelowHeight(page, minPx), path).toEqual([]);
      }
    });
  });
}
