import { donationsOf } from '../support/donations.ts';
import { bankOf, CARDS, fillCard } from './support/donate-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail, test } from './support/fixtures.ts';
import { openEmailTo } from './support/mailbox.ts';

test('a monthly donation, and everything a donor can do with the manage link', async ({
  donate,
  system,
  context,
  monitor,
}) => {
  test.slow(); // Six view states, each in light and dark, wide and narrow.
  monitor.allowErrors(/status of 402/); // A declined card.
  const email = newEmail();
  await donate.open();
  await donate.choose('Monthly');
  await donate.fill({ email, amount: '$25', name: 'Ida Wells' });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect
    .poll(() => donationsOf(system, email))
    .toMatchObject([{ amount_cents: 2500, recurring: true, source: 'embed' }]);

  const page = await context.newPage();
  const receipt = await openEmailTo(page, system, email, /Thank you for your gift/);
  expect(receipt).toContain('every month');
  const link = /http\S+\/plans\/\S+/.exec(receipt)![0];

  await page.goto(link);
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the page of a plan');

  await page.getByText('Change amount').click();
  await page.getByLabel('New amount').fill('$40');
  await expectAccessible(page, 'the page of a plan, being changed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('Your new amount is saved');
  await expect(page.getByText('$40.00')).toBeVisible();

  await page.getByRole('link', { name: 'Change payment method' }).click();
  const card = page.frameLocator(`#card iframe[src^="${system.sandbox}"]`).first();
  const save = page.getByRole('button', { name: 'Save payment method' });
  const saveCard = async (number: string) => {
    await fillCard(card, number);
    await save.press('Enter');
  };
  await saveCard(CARDS.declined);
  await expect(page.getByRole('alert')).toContainText('declined');
  await expect(save).toBeFocused();
  await expectAccessible(page, 'the card page of a plan');
  await saveCard(CARDS.authentication);
  await bankOf(page).getByRole('button', { name: /fail/i }).click();
  await expect(page.getByRole('alert')).toContainText('Your bank could not verify your identity');
  await saveCard('5555 5555 5555 4444');
  await expect(page.getByText('Mastercard •••• 4444')).toBeVisible();

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('You will not be charged while your gift is paused.')).toBeVisible();
  await expectAccessible(page, 'the page of a paused plan');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Cancel recurring gift' }).click();
  await expectAccessible(page, 'the question before a plan ends');
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the page of a plan that has ended');
  await page.getByRole('link', { name: 'Give again' }).click();
  await expect(
    page.getByRole('heading', { name: 'Support Harbor Street Food Bank' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Give $40' })).toBeVisible();
  // The headers of a request that leaving the page cancels are never known.
  await page.waitForLoadState('networkidle');
  await openEmailTo(page, system, email, /was canceled/);

  // The link is a secret: it must not be in a Referer header or a log.
  const token = link.split('/').at(-1)!;
  const visited = await Promise.all(monitor.requests.map((request) => request.allHeaders()));
  for (const { referer = '' } of visited) expect(referer).not.toContain(token);
});

test('a monthly donation can be changed without JavaScript', async ({
  donate,
  system,
  browser,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.choose('Monthly');
  await donate.fill({ email, amount: '$25' });
  await donate.submitButton.click();
  await donate.expectThanks();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const page = await plain.newPage();
  const receipt = await openEmailTo(page, system, email, /Thank you for your gift/);
  await page.goto(/http\S+\/plans\/\S+/.exec(receipt)![0]);
  await page.getByText('Change amount').click();
  await page.getByLabel('New amount').fill('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('$12.00')).toBeVisible();
  await page.getByRole('link', { name: 'Change payment method' }).click();
  // Scripts are disabled too late for Chromium to show the content of noscript, so its text is
  // checked instead.
  expect(await page.locator('noscript').textContent()).toContain('needs JavaScript');
  await plain.close();
});
