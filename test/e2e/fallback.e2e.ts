import type { Page } from 'playwright/test';
import { expect, test } from './support/fixtures.ts';

/** The tag's content is shown if the form cannot be rendered. */

const expectLink = (page: Page) =>
  expect(page.locator('connect-donate').getByRole('link', { name: 'Write to us' })).toBeVisible();

test('without scripts', async ({ browser, system }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(system.site);
  await expectLink(page);
  await context.close();
});

test('if the script is blocked', async ({ page, system, monitor }) => {
  monitor.allowErrors(/ERR_BLOCKED/);
  await page.route(`${system.server}/connect.js`, (route) => route.abort('blockedbyclient'));
  await page.goto(system.site);
  await expectLink(page);
});

/** Runs in the page. */
function removeLightDarkSupport() {
  CSS.supports = (...conditions: string[]) => !conditions.join().includes('light-dark');
}

for (const [missingFeature, removeFeature] of [
  ['any', () => Reflect.deleteProperty(AbortSignal, 'any')],
  ['light-dark', removeLightDarkSupport],
] as const) {
  test(`in a browser that is too old for the form: without ${missingFeature}`, async ({
    page,
    system,
  }) => {
    await page.addInitScript(removeFeature);
    const form = page.waitForResponse(/\/donate-.*\.js$/);
    await page.goto(system.site);
    await (await form).finished();
    await expectLink(page);
    expect(await page.evaluate(() => !!customElements.get('connect-donate'))).toBe(false);
  });
}
