import type { Page, Route } from 'playwright/test';
import { donationsOf, intentsOf } from '../support/donations.ts';
import type { Addresses } from '../support/system.ts';
import { DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/**
 * Interruptions of a donation by the donor or the network. The donor learns whether the donation succeeded, is
 * charged once, and has one donation.
 */

const EXPECTED_ERRORS = /ERR_|Failed to load resource|connect-donate|status of 4\d\d/;

const CONFIRM_PATH = '/v1/payment_intents/*/confirm*';

async function expectOneCharge(system: Addresses, email: string) {
  await expect.poll(() => donationsOf(system, email)).toMatchObject([{ amount_cents: 5000 }]);
  const intents = await intentsOf(system, email);
  const succeeded = intents.filter(({ status }) => status === 'succeeded');
  expect(succeeded).toMatchObject([{ amount_received: 5000 }]);
}

/** From now on cards are charged, but no response arrives. `charge` resolves when the first has been charged. */
async function loseEveryCharge(page: Page, system: Addresses) {
  const { promise: charge, resolve } = Promise.withResolvers<void>();
  await page.route(`${system.sandbox}${CONFIRM_PATH}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return resolve();
  });
  return { charge };
}

test('a double click charges once', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email });
  await donate.submitButton.dblclick();
  await donate.expectThanks();
  await expectOneCharge(system, email);
});

/** Which request or response is lost. */
const STEPS = [
  ['server', '/payment-intents', 'before it is processed'],
  ['server', '/payment-intents', 'after it was processed'],
  ['sandbox', CONFIRM_PATH, 'before it is processed'],
  ['sandbox', CONFIRM_PATH, 'after it was processed'],
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
      const thanks = donate.thankYouHeading;
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
      await expectOneCharge(system, email);
    });
  }
}

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
    const path = service === 'server' ? '/payment-intents' : CONFIRM_PATH;
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

test('a reload while the card is charged shows the actual result', async ({
  donate,
  system,
  page,
  monitor,
}) => {
  monitor.allowErrors(EXPECTED_ERRORS);
  const email = newEmail();
  const { charge } = await loseEveryCharge(page, system);
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
  await expectOneCharge(system, email);
  expect(await intentsOf(system, email)).toHaveLength(1);
});

test('going back and forward after submitting charges once', async ({
  donate,
  system,
  page,
  monitor,
}) => {
  monitor.allowErrors(EXPECTED_ERRORS);
  const email = newEmail();
  const { charge } = await loseEveryCharge(page, system);
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
