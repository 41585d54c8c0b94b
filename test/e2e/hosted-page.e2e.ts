import { donationsOf, intentsOf } from '../support/donations.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The hosted page: the form on a page of the API, for donors whose browser blocks the card script. */
test('a donation on the hosted page, after the card script was blocked', async ({
  donate,
  system,
  page,
  context,
  monitor,
}) => {
  monitor.allowErrors(/ERR_BLOCKED|stripe\.js could not be loaded/);
  await page.route(`${system.sandbox}/stripe.js`, (route) => route.abort('blockedbyclient'));
  const email = newEmail();
  await donate.open();
  await donate.choose('$50');
  const opened = context.waitForEvent('page');
  await donate.form.getByRole('link', { name: /secure page/ }).click();
  const hosted = new DonatePage(await opened, system, monitor);

  const address = hosted.page.url();
  expect(address).toMatch(/\/embed\/es_\w+$/);
  await expect(hosted.page).toHaveTitle('Give to Harbor Street Food Bank');
  await expect(hosted.submitButton).toBeVisible();
  await expectAccessible(hosted.page, 'the hosted page');
  await hosted.fill({ email, name: 'Mary Jackson' });
  await expectAccessible(hosted.page, 'the hosted page, filled in');
  await hosted.submitButton.click();
  await hosted.expectThanks();
  await expectAccessible(hosted.page, 'the thank-you of the hosted page');

  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await donationsOf(system, email)).toMatchObject([
    { amount_cents: 5000, source: 'embed', donor_name: 'Mary Jackson' },
  ]);
  expect(await intentsOf(system, email)).toHaveLength(1);
  // All journeys have one network address, so this donor may have to send the request again with a proof.
  const attempts = monitor.to(address, 'POST', '/payment-intents');
  const keys = new Set(attempts.map((request) => request.headers()['idempotency-key']));
  expect(keys.size).toBe(1);

  const seen = await Promise.all(monitor.requests.map((request) => request.allHeaders()));
  for (const { referer = '' } of seen) expect(referer).not.toContain('/embed/');
  expect(monitor.requests.map((request) => request.url()).join()).not.toMatch(/\b(eyJ|gb_)/);
});

test('a bank’s authentication works on the hosted page too', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open(await newEmbedUrl(system));
  await donate.fill({ email, card: '4000 0025 0000 3155' });
  await donate.submitButton.click();
  await donate.bank.getByRole('button', { name: /complete/i }).click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('an unknown session shows an error page', async ({ page, system, monitor }) => {
  monitor.allowErrors(/status of 404/);
  await page.goto(new URL('/embed/es_nothing', system.api_base).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Donation page not found');
  await expectAccessible(page, 'a hosted page that is not there');
});

test('no page can frame the hosted page of a session without origins', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/frame-ancestors|X-Frame-Options|refused to connect/i);
  await page.goto(`${pages}/bare`);
  const address = await newEmbedUrl(system);
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
  }, address);
  await expect.poll(() => monitor.consoleErrors.join()).toMatch(/frame-ancestors|X-Frame-Options/);
});

/** Creates an embed session with the API key, as the owner of a site without scripts does. */
async function newEmbedUrl(system: { api_base: string; api_key: string }): Promise<string> {
  const response = await fetch(`${system.api_base}/embed-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.api_key}` },
  });
  return ((await response.json()) as { embed_url: string }).embed_url;
}
