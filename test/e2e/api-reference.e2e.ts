import { expectNoSidewaysScroll } from './support/expect-accessible.ts';
import { expect, test } from './support/fixtures.ts';

/** The API reference at `/docs`, whose operations a third party's script draws: nothing may leave our origin. */

const operation = '/docs#/Donations/listDonations';

test('the reference is drawn from our origin only, and its policy is never violated', async ({
  page,
  system,
  monitor,
}) => {
  const { origin } = new URL(system.api_base);
  await page.goto(`${origin}/docs`);
  await expect(page.getByRole('heading', { name: 'Connect API', level: 1 })).toBeVisible();

  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('searchbox', { name: 'Search operations' }).fill('/recurring-plans');
  await expect(contents.getByRole('link')).toHaveText([/List recurring/, /Read a recurring/]);
  await contents.getByRole('link', { name: 'List recurring donations' }).click();
  await expect(page.getByRole('heading', { name: 'Parameters' })).toBeInViewport();

  const outside = monitor.requests.map((request) => new URL(request.url()));
  expect(outside.filter((url) => url.origin !== origin && url.protocol !== 'data:')).toEqual([]);
  const named = monitor.requests.filter((request) => request.url().includes('/docs/swagger-ui/'));
  expect(named.length).toBeGreaterThan(0);
});

test('a reader sends a request with a key', async ({ page, system }) => {
  await page.goto(`${new URL(system.api_base).origin}${operation}`);
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'auth-bearer-value' }).fill(system.api_key);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.locator('.live-responses-table .response-col_status').last()).toHaveText('200');
});

for (const [path, text] of [
  [operation, 'updated_since'],
  ['/docs/guides/authentication', 'registrations:read'],
  ['/docs/errors', 'insufficient_scope'],
] as const) {
  test(`${path} fits a phone`, async ({ page, system }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`${new URL(system.api_base).origin}${path}`);
    await expect(page.getByText(text).first()).toBeVisible();
    await expectNoSidewaysScroll(page, path);
  });
}

test('the contents of a phone open from the bar, and close when an operation opens', async ({
  page,
  system,
}) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${new URL(system.api_base).origin}/docs`);
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('link', { name: 'List donors' }).click();
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Parameters' })).toBeInViewport();
});
