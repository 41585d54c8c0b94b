import { expectNoSidewaysScroll } from './support/expect-accessible.ts';
import { expect, test } from './support/fixtures.ts';

/** The API reference at `/docs`, which a third party's script draws: nothing may leave our origin. */

test('the reference is drawn from our origin only, and its policy is never violated', async ({
  page,
  system,
  monitor,
}) => {
  const { origin } = new URL(system.api_base);
  await page.goto(`${origin}/docs`);
  await expect(page.getByRole('heading', { name: 'Connect API', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Verify the signature' })).toBeAttached();

  await page.goto(`${origin}/docs#tag/donations/GET/donations`);
  await expect(page.getByText('GET /donations').first()).toBeVisible();

  const outside = monitor.requests.map((request) => new URL(request.url()));
  expect(outside.filter((url) => url.origin !== origin && url.protocol !== 'data:')).toEqual([]);
  const named = monitor.requests.filter((request) => request.url().includes('/docs/scalar/'));
  expect(named.length).toBeGreaterThan(0);
});

test('the reference fits a phone', async ({ page, system }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${new URL(system.api_base).origin}/docs#description/scopes`);
  await expect(page.getByRole('heading', { name: 'Scopes' }).first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'registrations:read' })).toBeAttached();
  await expectNoSidewaysScroll(page, 'the reference');
});
