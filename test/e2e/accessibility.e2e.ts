import { donationsOf } from '../support/donations.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/expect-accessible.ts';
import { expectVisibleBorders, expectVisibleFocus } from './support/expect-visible-controls.ts';
import { CARDS } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/**
 * Accessibility of what only the whole system has: Stripe's frames, forced colors, zoom and the
 * keyboard. Stories check every view state of the elements with axe (packages/workshop/stories.e2e.ts).
 *
 * Up to six checks in a test, on a machine that may be busy.
 */
test.describe.configure({ timeout: 400_000 });

test('a loaded card form', async ({ donate, page }) => {
  await donate.open();
  await donate.fill({ email: newEmail() });
  await expectAccessible(page, 'a live card', { allLayouts: true });
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

test('the Tab key leaves the form in both directions, through the card fields', async ({
  donate,
  page,
}) => {
  await donate.open();
  await donate.fill({ email: newEmail() });
  const inForm = () =>
    page.evaluate(() => Boolean(document.activeElement?.closest('connect-donate, iframe')));
  for (const key of ['Tab', 'Shift+Tab']) {
    await donate.card.getByLabel('Card number').focus();
    let presses = 0;
    do await page.keyboard.press(key);
    while ((await inForm()) && (presses += 1) < 40);
    expect(presses, key).toBeLessThan(40);
  }
});
