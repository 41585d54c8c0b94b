import { donationsOf, intentsOf } from '../support/donations.ts';
import { CARDS } from './support/donate-page.ts';
import { expect, newEmail, test, type Page } from './support/fixtures.ts';
import { expectNoShift, recordShifts } from './support/layout-shifts.ts';

/**
 * Wallets: the payment sheet shows the charged amount, and returns the donor's name and email
 * address.
 */

/** Makes the sandbox's script pretend that the browser has a wallet. */
const addWallet = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { sandboxWallets: ['apple_pay'] }));

const walletButton = (page: Page) => page.getByRole('button', { name: 'Donate with Apple Pay' });
const walletSheet = (page: Page) => page.getByRole('dialog', { name: 'Apple Pay' });

async function payInSheet(page: Page, email: string) {
  await walletSheet(page).getByLabel('Email in the wallet').fill(email);
  await walletSheet(page).getByRole('button', { name: 'Pay' }).click();
}

test.beforeEach(({ donate }) => addWallet(donate.page));

test('a wallet charges what its sheet shows, after every change of the amount', async ({
  donate,
  system,
}) => {
  const { page, form } = donate;
  const email = newEmail();
  await donate.open();
  await donate.choose('$50');
  await walletButton(page).click();
  await expect(walletSheet(page).getByRole('status')).toHaveText('5000 usd');
  await walletSheet(page).getByRole('button', { name: 'Cancel' }).click();

  await donate.choose('$100');
  await form.getByLabel(/processing fee/).check();
  await walletButton(page).click();
  const sheetAmount = Number.parseInt(
    (await walletSheet(page).getByRole('status').textContent()) ?? '',
    10,
  );
  expect(sheetAmount).toBeGreaterThan(10_000);
  await payInSheet(page, email);
  await donate.expectThanks();
  await expect(walletSheet(page)).toHaveCount(0);
  await expect
    .poll(() => donationsOf(system, email))
    .toMatchObject([{ amount_cents: sheetAmount }]);
  expect(await intentsOf(system, email)).toMatchObject([
    { amount: sheetAmount, status: 'succeeded' },
  ]);
});

test('a wallet accepts a monthly donation', async ({ donate, system }) => {
  const { page } = donate;
  const email = newEmail();
  await donate.open();
  await donate.choose('Monthly');
  await donate.choose('$25');
  await walletButton(page).click();
  await expect(walletSheet(page)).toContainText('Monthly: 2500');
  await payInSheet(page, email);
  await donate.expectThanks();
  await expect
    .poll(() => donationsOf(system, email))
    .toMatchObject([{ amount_cents: 2500, recurring: true, donor_name: 'Wallis Wallet' }]);
});

test('a wallet opens no sheet without an amount', async ({ donate }) => {
  const { page, form } = donate;
  await donate.open();
  await donate.choose('$50');
  await expect(walletButton(page)).toBeVisible();
  await form.getByLabel(/Other amount/).fill('0');
  await walletButton(page).click();
  await expect(donate.message).toBeVisible();
  await expect(walletSheet(page)).toHaveCount(0);
});

test('a card declined in a wallet shows a message, and another one is charged once', async ({
  donate,
  system,
  monitor,
}) => {
  monitor.allowErrors(/402/);
  const { page } = donate;
  const email = newEmail();
  await donate.open();
  await donate.choose('$50');
  await walletButton(page).click();
  await walletSheet(page)
    .getByLabel('Card in the wallet')
    .selectOption({ label: 'Visa 0002 (declined)' });
  await payInSheet(page, email);
  await expect(donate.message).toContainText(/declined/i);
  await expect(walletSheet(page)).toHaveCount(0);
  await donate.fillCard(CARDS.good);
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('the default amount is given with two presses: the wallet and its sheet', async ({
  donate,
  system,
}) => {
  const { page, form } = donate;
  const email = newEmail();
  await donate.open();
  await form.getByLabel(/^Name\b/).focus();
  await walletButton(page).click();
  await payInSheet(page, email);
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toMatchObject([{ amount_cents: 5000 }]);
});

test('nothing in view moves when a wallet becomes available', async ({ donate }) => {
  const { page, form } = donate;
  await recordShifts(page);
  await donate.open();
  await form.getByLabel(/^Name\b/).focus();
  await expect(walletButton(page)).toBeVisible();
  await expectNoShift(page, 'a form with a wallet');
});

test('the field in use stays in its place when a browser turns out to have no wallet', async ({
  donate,
}) => {
  const { page, form } = donate;
  await page.addInitScript(() => Object.assign(window, { sandboxWallets: [] }));
  await donate.open();
  const name = form.getByLabel(/^Name\b/);
  await name.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 300);
  await name.focus();
  const before = await name.boundingBox();
  await expect(form.locator('.wallet')).toHaveCount(0);
  const after = await name.boundingBox();
  expect(after!.y).toBeCloseTo(before!.y, 0);
});
