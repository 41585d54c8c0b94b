import { donationsOf, intentsOf } from '../support/donations.ts';
import { CARDS } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The processor answers a declined card with 402, which browsers print. */
const DECLINED = /status of 402/;

test.beforeEach(({ monitor }) => monitor.allowErrors(DECLINED));

test('a declined card keeps everything typed, and another card then pays once', async ({
  donate,
  system,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.declined, name: 'Katherine Johnson' });
  await donate.give.click();
  await expect(donate.notice).toContainText(/declined/i);
  await expect(donate.notice).toBeFocused();
  await expect(donate.form.getByLabel(/^Name\b/)).toHaveValue('Katherine Johnson');
  await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);
  await expect(donate.give).toHaveText(/Give \$50/);
  expect(await donationsOf(system, email)).toEqual([]);

  await donate.fillCard(CARDS.good);
  await donate.give.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const paid = (await intentsOf(system, email)).filter(({ status }) => status === 'succeeded');
  expect(paid).toHaveLength(1);
});

test('a card without enough funds says so', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.insufficientFunds });
  await donate.give.click();
  await expect(donate.notice).toContainText(/enough funds/);
  expect(await donationsOf(system, email)).toEqual([]);
});

test('a card number that is no card number stays in the form', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: '4242 4242 4242 4241' });
  await donate.give.click();
  await expect(donate.card.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true');
  expect(await intentsOf(system, email)).toEqual([]);
});

test('a bank that asks is answered in its dialog', async ({ donate, system }) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.authentication });
  await donate.give.click();
  await donate.bank.getByRole('button', { name: /complete/i }).click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('a bank that says no charges nothing, and the donor can try again', async ({
  donate,
  system,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, card: CARDS.authentication });
  await donate.give.click();
  await donate.bank.getByRole('button', { name: /fail/i }).click();
  await expect(donate.notice).toContainText(/bank could not confirm/);
  expect(await donationsOf(system, email)).toEqual([]);

  await donate.fillCard(CARDS.good);
  await donate.give.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
