import type { DonationTermsInput } from '@connect-embed/contract';
import type { Addresses } from '../support/system.ts';
import { expect, test } from './support/fixtures.ts';

/**
 * When Stripe.js is loaded, which reveals the visitor to the card processor (`card_loading` of a
 * form).
 */

async function openEmbed(system: Addresses, body: DonationTermsInput & { origins?: string[] }) {
  const response = await fetch(`${system.api_base}/embed-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { embed_url: string }).embed_url;
}

test('no third party receives a request before the donor acts', async ({
  donate,
  system,
  monitor,
}) => {
  const thirdPartyRequests = () => {
    const ownOrigins = new Set([system.site, system.server].map((url) => new URL(url).origin));
    return monitor.requests
      .map((item) => item.url())
      .filter((url) => !ownOrigins.has(new URL(url).origin));
  };
  await donate.open();
  await donate.page.waitForLoadState('networkidle');
  await donate.page.mouse.wheel(0, 2000);
  await expect(donate.submitButton).toBeVisible();
  await donate.page.waitForLoadState('networkidle');
  expect(thirdPartyRequests()).toEqual([]);
  expect(await donate.page.context().cookies()).toEqual([]);
  await donate.choose('$50');
  await expect(donate.card.getByLabel('Card number')).toBeVisible();
  expect(thirdPartyRequests().length).toBeGreaterThan(0);
});

test('eager: the card form is loaded before the donor acts', async ({ donate, system }) => {
  await donate.open(await openEmbed(system, { card_loading: 'eager' }));
  await expect(donate.card.getByLabel('Card number')).toBeVisible();
});

test('visible: the card form loads when the form scrolls into view, also in a frame', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  const src = await openEmbed(system, { card_loading: 'visible', origins: [pages] });
  await page.goto(`${pages}/bare`);
  await page.evaluate((address) => {
    const above = document.createElement('div');
    above.style.height = '300vh';
    const frame = Object.assign(document.createElement('iframe'), { src: address, height: '900' });
    document.body.append(above, frame);
  }, src);
  const form = page.frameLocator('iframe').locator('connect-donate');
  await expect(form.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const cardRequests = () =>
    monitor.requests.filter((item) => item.url().startsWith(system.sandbox));
  expect(cardRequests()).toHaveLength(0);
  await page.locator('iframe').scrollIntoViewIfNeeded();
  const card = page.frameLocator('iframe').frameLocator(`iframe[src^="${system.sandbox}"]`).first();
  await expect(card.getByLabel('Card number')).toBeVisible();
});

test('a page whose embedder policy blocks the card fields offers the hosted page', async ({
  page,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/ERR_BLOCKED_BY_RESPONSE|did not load in time/);
  await page.clock.install();
  await page.goto(`${pages}/isolated`);
  const form = page.locator('connect-donate');
  const blocked = page.waitForEvent('requestfailed');
  await form.getByRole('radio', { name: '$50', exact: true }).click();
  expect((await blocked).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE');
  await page.clock.fastForward(21_000);
  await expect(form.getByRole('link', { name: 'Give on our secure page' })).toBeVisible();
});
