import { DonatePage } from '../../e2e/support/donate-page.ts';
import { expect, newEmail, test } from '../../e2e/support/fixtures.ts';
import type { Addresses } from '../../support/system.ts';
import { donationsOf, intentsOf } from '../../support/donations.ts';
import { RECORDS_ANNOTATION, type DonorRecords } from './reconciliation.ts';

/**
 * Interruptions by a donor during a donation. Donations and charges are compared in
 * `run-browser-scenario.ts`.
 */

const CLICK_TIMEOUT_MS = 10_000;
const THANK_YOU_TIMEOUT_MS = 60_000;
const EXPECTED_ERRORS = /ERR_|Failed to load resource|connect-donate|status of 4\d\d/;

async function submitAgain(donate: DonatePage, email: string): Promise<void> {
  const number = donate.card.getByLabel('Card number');
  const filled = await number.inputValue({ timeout: CLICK_TIMEOUT_MS }).catch(() => '');
  if (!filled) await donate.fill({ email });
  await donate.submitButton.click({ timeout: CLICK_TIMEOUT_MS });
}

/** Clicks Give again if the form shows a failure, and waits for the thank-you view. */
async function donateUntilThanked(donate: DonatePage, email: string): Promise<void> {
  const thanks = donate.form.getByRole('heading', { name: /^Thank you/ });
  const ready = donate.form.locator('button:enabled').and(donate.submitButton);
  await expect(thanks.or(ready).first()).toBeVisible();
  if (!(await thanks.isVisible())) {
    // The form may recover by itself and show the thank-you view; then there is no button to click,
    // and the fields are gone.
    const thankYouShown = thanks.waitFor({ timeout: THANK_YOU_TIMEOUT_MS });
    await Promise.race(
      [submitAgain(donate, email), thankYouShown].map((item) => item.catch(() => {})),
    );
  }
  await donate.expectThanks();
}

/** Attaches the donations and charges of a donor for the comparison. */
async function recordOutcome(system: Addresses, email: string): Promise<void> {
  await expect.poll(() => donationsOf(system, email), { timeout: 60_000 }).not.toHaveLength(0);
  const intents = await intentsOf(system, email);
  const succeeded = intents.filter(({ status }) => status === 'succeeded');
  const records: DonorRecords = {
    email,
    recordedCents: (await donationsOf(system, email)).map(({ amount_cents }) => amount_cents),
    chargedCents: succeeded.map(({ amount_received }) => amount_received),
  };
  test.info().annotations.push({ type: RECORDS_ANNOTATION, description: JSON.stringify(records) });
}

test('a double click charges once', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.dblclick();
  await donate.expectThanks();
  await recordOutcome(system, email);
});

for (const service of ['server', 'sandbox'] as const) {
  test(`a lost connection to the ${service} charges once`, async ({
    donate,
    system,
    context,
    page,
    monitor,
  }) => {
    monitor.allowErrors(EXPECTED_ERRORS);
    const email = newEmail();
    const path = service === 'server' ? '/payment-intents' : '/v1/payment_intents/*/confirm*';
    let interruptions = 0;
    await page.route(`${system[service]}${path}`, async (route) => {
      if (route.request().method() !== 'POST' || interruptions > 0) return route.fallback();
      interruptions += 1;
      await route.fetch(); // The request is processed; its response meets a closed connection.
      await context.setOffline(true);
      return route.abort('internetdisconnected');
    });
    await donate.open();
    await donate.fill({ email });
    await donate.submitButton.click();
    await expect(donate.message).toBeVisible({ timeout: 30_000 });
    await context.setOffline(false);
    await donateUntilThanked(donate, email);
    await recordOutcome(system, email);
  });
}

test('going back and forward after submitting charges once', async ({
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
    return onCharged(); // No response is sent, and the donor goes back.
  });
  await page.goto(`${system.site}/platform/`);
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.click();
  await charge;
  await page.unroute(confirm);
  await page.goBack();
  await page.goForward();
  await donateUntilThanked(donate, email);
  await recordOutcome(system, email);
});

test('submitting in two tabs charges once', async ({ donate, system, context, monitor }) => {
  monitor.allowErrors(EXPECTED_ERRORS);
  const email = newEmail();
  const second = new DonatePage(await context.newPage(), system, monitor);
  await donate.open();
  await second.open();
  await second.fill({ email });
  await donate.fill({ email });
  await Promise.all([donate.submitButton.click(), second.submitButton.click()]);
  const thanks = (page: DonatePage) => page.form.getByRole('heading', { name: /^Thank you/ });
  await expect
    .poll(async () => (await thanks(donate).isVisible()) || (await thanks(second).isVisible()))
    .toBe(true);
  await recordOutcome(system, email);
});
