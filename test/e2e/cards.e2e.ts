import { donationsOf, intentsOf } from '../support/donations.ts';
import { CARDS } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The processor responds to a declined card with 402, which browsers log. */
const DECLINED = /status of 402/;

test.beforeEach(({ monitor }) => monitor.allowErrors(DECLINED));

test('a declined card keeps the input, and another card is charged once', async ({
  donate,
  system,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.declined, name: 'Katherine Johnson' });
  await donate.submitButton.click();
  await expect(donate.message).toContainText(/declined/i);
  await expect(donate.message).toBeFocused();
  await expect(donate.form.getByLabel(/^Name\b/)).toHaveValue('Katherine Johnson');
  await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);
  await expect(donate.submitButton).toHaveText(/Give \$50/);
  expect(await donationsOf(system, email)).toEqual([]);

  await donate.fillCard(CARDS.good);
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const paid = (await intentsOf(system, email)).filter(({ status }) => status === 'succeeded');
  expect(paid).toHaveLength(1);
});

test('a card without enough funds shows its own message', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.insufficientFunds });
  await donate.submitButton.click();
  await expect(donate.message).toContainText(/enough funds/);
  expect(await donationsOf(system, email)).toEqual([]);
});

test('an invalid card number is not sent', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: '4242 4242 4242 4241' });
  await donate.submitButton.click();
  await expect(donate.card.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true');
  expect(await intentsOf(system, email)).toEqual([]);
});

test('a bank’s authentication is completed in its dialog', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.authentication });
  await donate.submitButton.click();
  await donate.bank.getByRole('button', { name: /complete/i }).click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('a failed authentication charges nothing, and the donor can try again', async ({
  donate,
  system,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.authentication });
  await donate.submitButton.click();
  await donate.bank.getByRole('button', { name: /fail/i }).click();
  await expect(donate.message).toContainText(/bank could not verify/);
  expect(await donationsOf(system, email)).toEqual([]);

  await donate.fillCard(CARDS.good);
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
