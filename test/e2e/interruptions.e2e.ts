import { donationsOf, intentsOf } from '../support/donations.ts';
import type { Addresses } from '../support/system.ts';
import { DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** Interruptions by a donor during a donation. Each donor is charged once, and has one donation. */

const EXPECTED_ERRORS = /ERR_|Failed to load resource|connect-donate|status of 4\d\d/;

async function expectOneCharge(system: Addresses, email: string) {
  await expect.poll(() => donationsOf(system, email)).toMatchObject([{ amount_cents: 5000 }]);
  const intents = await intentsOf(system, email);
  const succeeded = intents.filter(({ status }) => status === 'succeeded');
  expect(succeeded).toMatchObject([{ amount_received: 5000 }]);
}

test('a double click charges once', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.dblclick();
  await donate.expectThanks();
  await expectOneCharge(system, email);
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
    await expect(donate.message).toBeVisible();
    await context.setOffline(false);
    // The form may find out by itself that the donation succeeded; then it has no button any more.
    await expect(async () => {
      if (await donate.submitButton.isVisible()) await donate.submitButton.click({ timeout: 2000 });
      await expect(donate.thankYouHeading).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await expectOneCharge(system, email);
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
  await page.goBack();
  await page.goForward();
  await donate.expectThanks();
  await expectOneCharge(system, email);
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
  await expect
    .poll(async () => {
      return (await donate.thankYouHeading.isVisible()) || second.thankYouHeading.isVisible();
    })
    .toBe(true);
  await expectOneCharge(system, email);
});
