import { donationsOf, intentsOf } from '../support/donations.ts';
import { payAtBank } from './support/bank-redirect.ts';
import { CARDS, type DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';
import { FramedDonationPage } from './support/framed-donor.ts';
import { EXAMPLES } from './support/guide-examples.ts';

/**
 * Every example of docs/donation-form.md and its special cases, on a page of its own: it renders, and a donation
 * succeeds.
 */

const shortTitle = (example: string) => example.replace(/\s+/g, ' ').slice(0, 70);
const isFrame = (example: string) => /^<(iframe|script(?!.*\/connect\.js))/.test(example);

/** Opens the form of the example, as a visitor would. */
async function open({ page, form }: DonatePage, example: string) {
  if (/display="(button|sticky)"/.test(example)) {
    await form.getByRole('button', { name: 'Give' }).click();
  } else if (example.startsWith('<a')) {
    await page.getByRole('link').first().click();
  }
}

/** With `display="button"` two buttons are named Give; this is the one in the form. */
const submitOf = (form: DonatePage['form']) => form.locator('form button[type=submit]');

for (const [at, example] of EXAMPLES.entries()) {
  test(`example ${at + 1} of the guide: ${shortTitle(example)}`, async ({
    donate,
    page,
    system,
    pages,
  }) => {
    const email = newEmail();
    await page.goto(`${pages}/guide/${at}`);
    const donor = isFrame(example) ? new FramedDonationPage(page, system) : donate;
    if (donor === donate) await open(donate, example);
    await donor.fill({ email });
    if (donor instanceof FramedDonationPage && example.startsWith('<script'))
      await donor.expectFrameFits();
    await submitOf(donor.form).click();
    await donor.expectThanks();
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  });
}

test('Escape closes the dialog also while the focus is in the frame of the card', async ({
  donate,
  page,
  pages,
}) => {
  const at = EXAMPLES.findIndex((example) => example.includes('display="button"'));
  await page.goto(`${pages}/guide/${at}`);
  await open(donate, EXAMPLES[at]!);
  await donate.form.getByLabel(/^Name\b/).click(); // The card form loads when the donor acts.
  await donate.card.getByLabel('Card number').click();
  await page.keyboard.press('Escape');
  await expect(donate.form.locator('dialog')).toBeHidden();
  await expect(donate.form.getByRole('button', { name: 'Give' })).toBeFocused();
});

test('the focus returns to what opened the dialog also after a bank’s authentication', async ({
  donate,
  page,
  pages,
}) => {
  const at = EXAMPLES.findIndex((example) => example.includes('display="button"'));
  await page.goto(`${pages}/guide/${at}`);
  await open(donate, EXAMPLES[at]!);
  await donate.fill({ email: newEmail(), card: CARDS.authentication });
  await submitOf(donate.form).click();
  await donate.bank.getByRole('button', { name: /complete/i }).click();
  await donate.expectThanks();
  await page.keyboard.press('Escape');
  await expect(donate.form.locator('dialog')).toBeHidden();
  await expect(donate.form.getByRole('button', { name: 'Give' })).toBeFocused();
});

for (const display of ['button', 'modal']) {
  test(`after a bank’s redirect the dialog is open and shows the result: ${display}`, async ({
    donate,
    page,
    system,
    pages,
  }) => {
    const email = newEmail();
    const at = EXAMPLES.findIndex((example) => example.includes(`display="${display}"`));
    await page.goto(`${pages}/guide/${at}`);
    await open(donate, EXAMPLES[at]!);
    await donate.fill({ email });
    const back = await payAtBank(page, system, () => submitOf(donate.form).click());
    expect(back.origin).toBe(pages);
    await page.goto(back.href);

    const dialog = donate.form.locator('dialog');
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
    expect(await dialog.evaluate((item) => item.matches(':modal'))).toBe(true);
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
    expect(await intentsOf(system, email)).toHaveLength(1);

    await page.reload();
    // A page whose address names the dialog opens it by itself, over the link that would open it.
    if (new URL(page.url()).hash === '') await open(donate, EXAMPLES[at]!);
    await donate.expectThanks();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}
