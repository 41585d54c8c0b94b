import { expect, newEmail, test, type Page } from './support/fixtures.ts';

/**
 * Every click gives feedback before its request completes. Requests are held back, so no test
 * depends on timing.
 */

/** Holds back matching requests until `release` is called. */
async function holdRequests(page: Page, url: string | RegExp) {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('the code for donating is loaded when a pointer is over the form, not before', async ({
  donate,
  page,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const isFlow = (url: string) => /\/donation-flow-[^/]*\.js$/.test(url);
  await donate.open();
  await page.waitForLoadState('networkidle');
  expect(loaded.filter(isFlow)).toEqual([]);
  const flow = page.waitForRequest((request) => isFlow(request.url()));
  await donate.form.getByText('Your details').hover();
  await flow;
});

test('a submit gives feedback while the code for it is still loading', async ({ donate, page }) => {
  const release = await holdRequests(page, /\/donation-flow-[^/]*\.js$/);
  await donate.open();
  await donate.choose('$50');
  await expect(donate.form.locator('.payment')).toHaveAttribute('aria-busy', 'true');
  await donate.fillDonor({ email: newEmail() });
  await donate.submitButton.click();
  const button = donate.form.locator('form [part=submit-button]');
  await expect(button).toHaveText('Connecting to our payment provider…');
  release();
  await expect(donate.message).toContainText('Complete your payment details');
  await expect(button).toHaveText('Give $50');
});

test('a submit names the card form while the processor’s script is loading', async ({
  donate,
  page,
  system,
}) => {
  const release = await holdRequests(page, `${system.sandbox}/stripe.js`);
  await donate.open();
  await donate.choose('$50');
  await expect(donate.form.getByText('Loading the payment form…').first()).toBeVisible();
  await donate.fillDonor({ email: newEmail() });
  await donate.submitButton.click();
  const button = donate.form.locator('form [part=submit-button]');
  await expect(button).toHaveText('Waiting for the payment form…');
  await expect(donate.form).not.toContainText('being processed');
  // After some seconds a message says that loading takes long; the other fields stay usable.
  await expect(donate.form.getByText(/taking longer than usual/).first()).toBeVisible();
  await donate.fillDonor({ name: 'Grace Hopper', email: newEmail() });
  release();
  await expect(donate.message).toContainText('Complete your payment details');
  await donate.fillCard('4242 4242 4242 4242');
  await donate.submitButton.click();
  await donate.expectThanks();
});

test('a submit shows each step on a slow server and a slow device', async ({
  donate,
  page,
  system,
}) => {
  await donate.open();
  await donate.fill({ email: newEmail() });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const release = await holdRequests(page, `${system.server}/payment-intents`);
  await donate.submitButton.click();
  await expect(donate.submitButton).toHaveText('Giving $50…');
  await expect(donate.form.getByText('Connecting to our payment provider…')).toBeVisible();
  await expect(donate.form.locator('.fine-print')).toContainText('taking longer than usual');
  release();
  await donate.expectThanks();
});

test('the input is restored after a reload and after going back', async ({
  donate,
  page,
  system,
}) => {
  const email = newEmail();
  await donate.open();
  await donate.choose('$50');
  await donate.fillDonor({ name: 'Grace Hopper', email });
  const expectKept = async () => {
    await expect(donate.form.getByLabel(/^Name\b/)).toHaveValue('Grace Hopper');
    await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);
    await expect(donate.form.getByRole('radio', { name: '$50', exact: true })).toBeChecked();
  };
  await page.reload();
  await expectKept();
  await page.goto(`${system.server}/connect.js`);
  await page.goBack();
  await expectKept();
  await donate.form.getByLabel(/^Name\b/).click(); // The card form loads when the donor acts.
  await donate.fillCard('4242 4242 4242 4242');
  await donate.submitButton.click();
  await donate.expectThanks();
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(stored).not.toContain(email);
});

test('an empty card is in the error summary, and its link leads to the card', async ({
  donate,
}) => {
  await donate.open();
  await donate.choose('$50');
  await expect(donate.card.getByLabel('Card number')).toBeVisible();
  await donate.submitButton.click();
  await expect(donate.message).toContainText('Check 3 fields');
  await expect(donate.message).toBeFocused();
  await expect(donate.card.getByText('Your card number is incomplete.')).toBeVisible();
  await donate.message.getByRole('link', { name: 'Complete your payment details.' }).click();
  await expect(donate.card.getByLabel('Card number')).toBeFocused();
  await donate.fillCard('4242 4242 4242 4242');
  await expect(donate.message).toContainText('Check 2 fields');
});

test('the thank-you view is scrolled into view on a phone, has its natural height, and prints without a gap', async ({
  donate,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await donate.open();
  await donate.fill({ email: newEmail() });
  const form = (await donate.form.boundingBox())!.height;
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect(donate.form.getByRole('heading', { name: /^Thank you/ })).toBeInViewport();
  expect((await donate.form.boundingBox())!.height).toBeLessThan(form - 100);
  await page.emulateMedia({ media: 'print' });
  await expect(donate.form.getByRole('button', { name: 'Print' })).toBeHidden();
  const gap = await donate.form.evaluate((element) => {
    const frame = element.shadowRoot!.querySelector('.frame')!.getBoundingClientRect();
    const thankYou = element.shadowRoot!.querySelector('.thank-you')!.getBoundingClientRect();
    return frame.bottom - thankYou.bottom;
  });
  expect(gap).toBeLessThan(40);
});
