import type { Page } from 'playwright/test';
import { OWN_VIEWER_SECRET } from '../../support/own-server.ts';
import { viewerToken } from '../../support/signed-token.ts';
import { expect, provider, test } from './on-a-page.ts';
import { narrowToLongAgo } from './what-the-api-says.ts';

/** The next token of a viewer, as a platform's page hands it over every hour. */

const tokenFor = (minutes: number, claims = {}) =>
  viewerToken(OWN_VIEWER_SECRET, { exp: Math.floor(Date.now() / 1000) + minutes * 60, ...claims });

const TABLE = `<div style="block-size: 1200px"></div>
  <connect-donations limit="10" tools="filters totals" refresh-seconds="1"></connect-donations>`;

const handOver = (page: Page, token: string) =>
  page
    .locator('connect-provider')
    .evaluate((one, value) => one.setAttribute('viewer-token', value), token);

test('a renewed token leaves rows, filters, focus and place; another viewer’s leaves nothing', async ({
  page,
  own,
  embed,
}) => {
  await embed(provider(own, TABLE, { token: tokenFor(5) }));
  const table = page.locator('connect-donations');
  const rows = table.locator('tr[data-id]');
  await narrowToLongAgo(table);
  await expect(rows).toHaveCount(10);
  await table.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(20);
  await rows.nth(14).getByRole('button').focus();
  await rows.nth(14).scrollIntoViewIfNeeded();
  const state = () =>
    table.evaluate((one) => ({
      ids: [...one.shadowRoot!.querySelectorAll('tr[data-id]')].map(
        (row) => (row as HTMLElement).dataset['id'],
      ),
      to: one.shadowRoot!.querySelectorAll('input')[1]!.value,
      focused: one.shadowRoot!.activeElement?.closest('tr')?.dataset['id'],
      top: Math.round(one.getBoundingClientRect().top),
      sums: one.shadowRoot!.querySelector('.sums')?.textContent,
    }));
  await expect(table.locator('.sums')).toBeVisible();
  const before = await state();
  expect(before.focused).toBe(before.ids[14]);
  // Whatever is drawn from now on, for an outline would be gone again soon.
  await table.evaluate((one) => {
    const seen: string[] = ((window as { seen?: string[] }).seen = []);
    const look = () => one.shadowRoot!.querySelector('.blank') && seen.push('outlines');
    new MutationObserver(look).observe(one.shadowRoot!, { childList: true, subtree: true });
  });

  const next = tokenFor(65);
  const minted = page.waitForResponse(`${own.url}/component-sessions`);
  await handOver(page, next);
  const answer = await minted;
  expect(await answer.request().headerValue('authorization')).toBe(`Bearer ${next}`);
  const { token } = (await answer.json()) as { token: string };
  const looked = await page.waitForResponse(
    async (one) =>
      /\/donations\?/.test(one.url()) &&
      (await one.request().headerValue('authorization')) === `Bearer ${token}`,
  );
  expect(looked.status()).toBe(200);
  expect(await state()).toEqual(before);
  expect(await page.evaluate(() => (window as { seen?: string[] }).seen)).toEqual([]);

  await page.route(`${own.url}/component-sessions`, () => {}); // Never answered.
  await handOver(page, tokenFor(65, { sub: 'other@platform.example' }));
  await expect(rows).toHaveCount(0);
  await expect(table.locator('.sums')).toHaveCount(0);
});
