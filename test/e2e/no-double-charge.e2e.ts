import { donationsOf, intentsOf } from '../support/donations.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** One donation is charged once, whatever the donor, the network or the page does. */

test('a double click on Give charges once', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.dblclick();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
});

test('many clicks on Give while it is processed charge once', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email });
  await donate.form.evaluate((form) => {
    const button = form.shadowRoot!.querySelector<HTMLButtonElement>('button[type=submit]')!;
    for (let press = 0; press < 10; press += 1) button.click();
  });
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
});

test('a lost response is retried with the same idempotency key, not as a second donation', async ({
  donate,
  system,
  page,
  monitor,
}) => {
  monitor.allowErrors(/ERR_FAILED|Failed to load resource/);
  const email = newEmail();
  let lostCount = 0;
  await page.route(`${system.server}/payment-intents`, async (route) => {
    if (route.request().method() !== 'POST' || lostCount > 0) return route.fallback();
    lostCount += 1;
    await route.fetch(); // The request is processed; only its response is lost.
    return route.abort('failed');
  });
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.click();
  const thanks = donate.form.getByRole('heading', { name: /^Thank you/ });
  await expect(thanks.or(donate.message)).toBeVisible();
  if (!(await thanks.isVisible())) await donate.submitButton.click();
  await donate.expectThanks();
  expect(lostCount).toBe(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('a confirmation whose response is lost is looked up, not repeated', async ({
  donate,
  system,
  page,
  monitor,
}) => {
  monitor.allowErrors(/ERR_FAILED|Failed to load resource|connect-donate/);
  const email = newEmail();
  let lostCount = 0;
  await page.route(`${system.sandbox}/v1/payment_intents/*/confirm*`, async (route) => {
    if (route.request().method() !== 'POST' || lostCount > 0) return route.fallback();
    lostCount += 1;
    await route.fetch();
    return route.abort('failed');
  });
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.click();
  const thanks = donate.form.getByRole('heading', { name: /^Thank you/ });
  await expect(thanks.or(donate.message)).toBeVisible();
  if (!(await thanks.isVisible())) await donate.submitButton.click();
  await donate.expectThanks();
  expect(lostCount).toBe(1);
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
});
