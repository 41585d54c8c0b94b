import type { Route } from 'playwright/test';
import { donationsOf, intentsOf } from '../support/donations.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/**
 * After a lost request or response the donor still learns whether the donation succeeded, and is
 * charged once.
 */

const EXPECTED_ERRORS = /ERR_|Failed to load resource|connect-donate/;

/** Which request or response is lost. */
const STEPS = [
  ['server', '/payment-intents', 'before it is processed'],
  ['server', '/payment-intents', 'after it was processed'],
  ['sandbox', '/v1/payment_intents/*/confirm*', 'before it is processed'],
  ['sandbox', '/v1/payment_intents/*/confirm*', 'after it was processed'],
] as const;

for (const [service, path, moment] of STEPS) {
  for (const action of ['submits again', 'reloads the page'] as const) {
    test(`${path} is lost ${moment}, and the donor ${action}`, async ({
      donate,
      system,
      page,
      monitor,
    }) => {
      monitor.allowErrors(EXPECTED_ERRORS);
      const email = newEmail();
      let lostCount = 0;
      const loseResponse = async (route: Route) => {
        if (route.request().method() !== 'POST' || lostCount > 3) return route.fallback();
        lostCount += 1;
        if (moment === 'after it was processed') await route.fetch();
        return route.abort('failed');
      };
      await page.route(`${system[service]}${path}`, loseResponse);
      await donate.open();
      await donate.fill({ email });
      await donate.submitButton.click();
      const thanks = donate.form.getByRole('heading', { name: /^Thank you/ });
      await expect(thanks.or(donate.message)).toBeVisible({ timeout: 30_000 });
      await page.unroute(`${system[service]}${path}`, loseResponse);

      if (action === 'reloads the page') {
        await page.reload();
        await expect(thanks.or(donate.submitButton)).toBeVisible();
      }
      if (!(await thanks.isVisible())) {
        await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);
        if (action === 'reloads the page') {
          await donate.choose('$50');
          await donate.fillCard('4242 4242 4242 4242');
        }
        await donate.submitButton.click();
      }
      await donate.expectThanks();
      await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
      const intents = await intentsOf(system, email);
      expect(intents.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    });
  }
}

test('a reload while the card is charged shows the actual result', async ({
  donate,
  system,
  page,
  monitor,
}) => {
  monitor.allowErrors(EXPECTED_ERRORS);
  const email = newEmail();
  const confirm = `${system.sandbox}/v1/payment_intents/*/confirm*`;
  let onCharged!: () => void;
  const charge = new Promise<void>((resolve) => (onCharged = resolve));
  await page.route(confirm, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return onCharged(); // No response is ever sent.
  });
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.click();
  await charge;
  await page.reload();
  await donate.expectThanks();
  const reference = await donate.form.getByText(/^[3-9A-Z]{4}-[3-9A-Z]{4}$/).textContent();
  await page.reload();
  await donate.expectThanks();
  await expect(donate.form.getByText(reference!)).toBeVisible();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
});
