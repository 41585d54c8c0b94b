import type { Page } from 'playwright/test';
import { signViewerToken } from '../../support/signed-token.ts';
import { expect, providerTag, readViewerSecret, test } from './embedded-tables.ts';
import { filterToPastDonations } from './call-api.ts';

/** A viewer token as a platform's page renews it every hour. */

const viewerTokenFor = (minutes: number, claims = {}) =>
  signViewerToken(readViewerSecret(), {
    exp: Math.floor(Date.now() / 1000) + minutes * 60,
    ...claims,
  });

const TABLE = `<div style="block-size: 1200px"></div>
  <connect-donations limit="10" tools="filters totals" refresh-seconds="1"></connect-donations>`;

const setViewerToken = (page: Page, token: string) =>
  page
    .locator('connect-provider')
    .evaluate((item, value) => item.setAttribute('viewer-token', value), token);

test('a renewed token keeps rows, filters, focus and scroll position; another viewer’s token clears all', async ({
  page,
  system,
  embed,
}) => {
  await embed(providerTag(system.server, TABLE, { token: viewerTokenFor(5) }));
  const table = page.locator('connect-donations');
  const rows = table.locator('tr[data-id]');
  await filterToPastDonations(table);
  await expect(rows).toHaveCount(10);
  await table.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(20);
  await rows.nth(14).getByRole('button').focus();
  await rows.nth(14).scrollIntoViewIfNeeded();
  const state = () =>
    table.evaluate((item) => ({
      ids: [...item.shadowRoot!.querySelectorAll('tr[data-id]')].map(
        (row) => (row as HTMLElement).dataset['id'],
      ),
      to: item.shadowRoot!.querySelectorAll('input')[1]!.value,
      focused: item.shadowRoot!.activeElement?.closest('tr')?.dataset['id'],
      top: Math.round(item.getBoundingClientRect().top),
      sums: item.shadowRoot!.querySelector('.totals-list')?.textContent,
    }));
  await expect(table.locator('.totals-list')).toBeVisible();
  const before = await state();
  expect(before.focused).toBe(before.ids[14]);
  // Observes rendering, because an outline would be visible for a moment only.
  await table.evaluate((item) => {
    const seen: string[] = ((window as { seen?: string[] }).seen = []);
    const recordOutlines = () =>
      item.shadowRoot!.querySelector('.skeleton') && seen.push('outlines');
    new MutationObserver(recordOutlines).observe(item.shadowRoot!, {
      childList: true,
      subtree: true,
    });
  });

  const next = viewerTokenFor(65);
  const minted = page.waitForResponse(`${system.server}/component-sessions`);
  await setViewerToken(page, next);
  const response = await minted;
  expect(await response.request().headerValue('authorization')).toBe(`Bearer ${next}`);
  const { token } = (await response.json()) as { token: string };
  const retryResponse = await page.waitForResponse(
    async (item) =>
      /\/donations\?/.test(item.url()) &&
      (await item.request().headerValue('authorization')) === `Bearer ${token}`,
  );
  expect(retryResponse.status()).toBe(200);
  expect(await state()).toEqual(before);
  expect(await page.evaluate(() => (window as { seen?: string[] }).seen)).toEqual([]);

  await page.route(`${system.server}/component-sessions`, () => {}); // Never responds.
  await setViewerToken(page, viewerTokenFor(65, { sub: 'other@platform.example' }));
  await expect(rows).toHaveCount(0);
  await expect(table.locator('.totals-list')).toHaveCount(0);
});
