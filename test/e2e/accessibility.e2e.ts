import { donationsOf } from '../support/donations.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/expect-accessible.ts';
import { expectVisibleBorders, expectVisibleFocus } from './support/expect-visible-controls.ts';
import { CARDS } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** Up to twelve accessibility checks for every view state, on a machine that may be busy. */
test.describe.configure({ timeout: 400_000 });

test('the form and its error messages', async ({ donate, page }) => {
  await donate.open();
  await expectAccessible(page, 'the form');
  await donate.choose('$50');
  await expect(donate.card.getByLabel('Card number')).toBeVisible();
  await donate.submitButton.click();
  await expect(donate.form.getByRole('link', { name: 'Enter your name.' })).toBeVisible();
  await expectAccessible(page, 'the form with problems');
});

test('a declined card and the thank-you view', async ({ donate, page, monitor }) => {
  monitor.allowErrors(/status of 402/);
  await donate.open();
  await donate.fill({ email: newEmail(), card: CARDS.declined });
  await donate.submitButton.click();
  await expect(donate.message).toBeVisible();
  await expectAccessible(page, 'a declined card');
  await donate.fillCard(CARDS.good);
  await donate.submitButton.click();
  await donate.expectThanks();
  await expectAccessible(page, 'the thank-you');
});

test('a loaded card form, and an offline donor', async ({ donate, page, context, monitor }) => {
  test.slow(); // Three view states, two of them checked twelve times.
  monitor.allowErrors(/ERR_INTERNET_DISCONNECTED|cannot be reached/);
  await donate.open();
  await donate.fill({ email: newEmail() });
  await expectAccessible(page, 'a live card', { allLayouts: true });
  await context.setOffline(true);
  await expect(donate.form.getByRole('status').last()).toContainText(/offline/);
  await expectAccessible(page, 'offline, with a card', { allLayouts: true });
  await donate.form.evaluate((form) => form.setAttribute('form', 'default'));
  await expect(donate.form.getByRole('alert')).toContainText(/offline/);
  await expectAccessible(page, 'offline, without a form');
  await context.setOffline(false);
  await expect(donate.submitButton).toBeVisible();
});

test('a goal above a form', async ({ page, pages }) => {
  await page.goto(`${pages}/goal`);
  await expect(page.locator('connect-goal [part=amount]')).toHaveText(/^\$/);
  // axe requires a heading, and the test page has none.
  await page.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('afterbegin', '<h1>Winter</h1>'),
  );
  await expectAccessible(page, 'the goal');
});

test('in forced colors every control has a border, and focus and selection are visible', async ({
  donate,
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await donate.open();
    await donate.choose('$50');
    expect(await expectVisibleBorders(page, 'connect-donate')).toBeGreaterThan(6);
    expect(await expectVisibleFocus(page, 'connect-donate')).toBeGreaterThan(4);
    const colorsOf = (choice: string) =>
      donate.form
        .locator(`${choice} + span`)
        .first()
        .evaluate((span) => {
          const { backgroundColor, borderTopColor, color } = getComputedStyle(span);
          return [backgroundColor, borderTopColor, color];
        });
    const chosen = await colorsOf('[name=amount]:checked');
    const other = await colorsOf('[name=amount]:not(:checked)');
    // The fill differs too, because an outline of one pixel is hard to see.
    for (const [index, color] of chosen.entries()) expect(color).not.toBe(other[index]);
    await donate.submitButton.click();
    await expect(donate.message).toBeVisible();
    await expectVisibleBorders(page, 'connect-donate');
  }
});

test('in forced colors a goal has a border, and its bar has another color', async ({
  page,
  pages,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${pages}/goal`);
  const goal = page.locator('connect-goal');
  await expect(goal.locator('[part=amount]')).toHaveText(/^\$/);
  const colors = await goal.evaluate((element) => {
    const of = (part: string) =>
      getComputedStyle(element.shadowRoot!.querySelector(`[part=${part}]`)!);
    return [of('meter').borderTopColor, of('bar').backgroundColor, of('frame').backgroundColor];
  });
  expect(new Set(colors).size).toBe(3);
  for (const part of ['meter', 'frame']) {
    await expect(goal.locator(`[part=${part}]`)).toHaveCSS('border-top-style', 'solid');
  }
});

test('at 400 % zoom everything is readable and reachable without horizontal scrolling', async ({
  donate,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 }); // 1280 × 1024 at 400 % zoom.
  await page.emulateMedia({ reducedMotion: 'reduce' }); // Disables smooth scrolling.
  await donate.open();
  await donate.fill({ email: newEmail() });
  await expectNoSidewaysScroll(page, 'the form at 400 %');
  expect(await expectVisibleFocus(page, 'connect-donate')).toBeGreaterThan(4);
  await donate.submitButton.click();
  await donate.expectThanks();
  await expectNoSidewaysScroll(page, 'the thank-you at 400 %');
});

test('the bank’s authentication dialog', async ({ donate, page }) => {
  await donate.open();
  await donate.fill({ email: newEmail(), card: CARDS.authentication });
  await donate.submitButton.click();
  await expect(donate.bank.getByRole('button', { name: /complete/i })).toBeVisible();
  await expectAccessible(page, "the bank's dialog");
});

test('a blocked card form and an unavailable form', async ({ donate, page, system, monitor }) => {
  monitor.allowErrors(/ERR_BLOCKED|Failed to load resource|could not|connect-donate/);
  await page.route(`${system.sandbox}/stripe.js`, (route) => route.abort('blockedbyclient'));
  await donate.open();
  await donate.choose('$50');
  await expect(donate.form.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'a blocked card form');
  await page.route(`${system.server}/embed-sessions?*`, (route) =>
    route.fulfill({ status: 404, json: { error: { type: 'not_found', message: 'No form.' } } }),
  );
  await page.goto(system.site);
  await expect(donate.form.getByRole('alert')).toContainText(/not available/);
  await expectAccessible(page, 'a form that cannot be had');
});

test('the tables', async ({ platform }) => {
  await platform.open();
  await expect(platform.donors.getByRole('row').nth(1)).toBeVisible();
  await expect(platform.payouts.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(platform.page, 'the tables');
});

test('the tables when the API is unreachable', async ({ platform, system, monitor }) => {
  monitor.allowErrors(/Failed to load resource|connect-/);
  await platform.open();
  await platform.page.route(`${system.api_base}/**`, (route) => route.abort('failed'));
  await platform.page.reload();
  await platform.signIn();
  await expect(platform.donations.getByRole('alert')).toBeVisible({ timeout: 30_000 });
  await expectAccessible(platform.page, 'tables that cannot be read');
});

test('a donation by keyboard alone', async ({ donate, system, page }) => {
  const email = newEmail();
  await donate.open();
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('name') ?? element?.tagName.toLowerCase() ?? '';
    });
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    throw new Error(`The Tab key never reached ${name}.`);
  };

  await tabTo('amount');
  await page.keyboard.press('ArrowRight');
  const amounts = donate.form.getByRole('group', { name: 'Amount' });
  await expect(amounts.getByRole('radio', { checked: true })).toHaveCount(1);
  await tabTo('name');
  await page.keyboard.type('Dorothy Vaughan');
  await tabTo('email');
  await page.keyboard.type(email);
  await expect(donate.card.getByLabel('Card number')).toBeVisible();
  for (const [label, typedValue] of [
    ['Card number', '4242424242424242'],
    ['Expiration date', '1234'],
    ['Security code', '123'],
  ] as const) {
    const field = donate.card.getByLabel(label);
    const there = await field.evaluate((node) => node === document.activeElement);
    if (!there) await page.keyboard.press('Tab'); // A complete card field may move the focus on.
    await expect(field).toBeFocused();
    await page.keyboard.type(typedValue);
  }
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused()) === 'button') break;
  }
  await expect(donate.submitButton).toBeFocused();
  await page.keyboard.press('Enter');
  await donate.expectThanks();
  await expect(donate.form.getByRole('heading', { name: /^Thank you/ })).toBeFocused();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
