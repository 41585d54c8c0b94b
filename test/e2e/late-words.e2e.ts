import { donationsOf } from '../support/gifts.ts';
import { CARDS, type DonatePage } from './support/donate-page.ts';
import { test as base, expect, newEmail, type Page } from './support/fixtures.ts';

/** Words that come after the form was drawn in English: docs/decisions/0075-words-that-come-late.md */

const WORDS = /\/(?:form|goal)-de-[\w-]{8}\.js$/;

/** Keeps the words of a page back. @returns what lets them come, and waits until they are read */
async function keepWords(page: Page): Promise<() => Promise<void>> {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const asked = page.waitForRequest(WORDS);
  await page.route(WORDS, async (route) => {
    await allowed;
    await route.continue();
  });
  return async () => {
    const address = (await asked).url();
    allow();
    // The same module: who asked first hears of it before anybody who asks now.
    await page.evaluate(async (url) => {
      await import(url);
      await new Promise(requestAnimationFrame);
    }, address);
  };
}

interface Fixtures {
  /** Lets the words come. */
  come: () => Promise<void>;
  /** A form that was drawn without them. */
  early: DonatePage;
}

const test = base.extend<Fixtures>({
  come: async ({ page }, use) => use(await keepWords(page)),
  early: async ({ come, donate, pages }, use) => {
    expect(come).toBeTruthy();
    await donate.open(`${pages}/german`);
    await expectLanguage(donate, 'en');
    await use(donate);
  },
});

const frameOf = ({ form }: DonatePage) => form.locator('[part=frame]');
const expectLanguage = (donate: DonatePage, language: string) =>
  expect(frameOf(donate)).toHaveAttribute('lang', language);

test('late words take their place in a form that nobody is in', async ({ early, come }) => {
  await early.form.getByRole('radio', { name: /^100/ }).click();
  await early.page.mouse.click(2, 2);
  await come();
  await expect(early.form.getByRole('heading', { name: /^Spenden für/ })).toBeVisible();
  await expectLanguage(early, 'de');
  await expect(early.form.getByRole('radio', { name: /^100/ })).toBeChecked();
  await expect(early.form.getByRole('button', { name: /^100.*spenden$/ })).toBeVisible();
});

test('late words wait for a donor who is typing, until they leave the form', async ({
  early,
  come,
}) => {
  const { page, form } = early;
  const name = form.locator('#name');
  await name.click();
  await page.keyboard.type('Maria Goep');
  const before = await name.boundingBox();
  await come();
  await page.keyboard.type('pert');
  await expectLanguage(early, 'en');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Maria Goeppert');
  expect(await name.boundingBox()).toEqual(before);

  await page.keyboard.press('Tab');
  await page.keyboard.type('maria');
  await expect(form.locator('#email')).toBeFocused();
  await expectLanguage(early, 'en');

  await page.mouse.click(2, 2);
  await expectLanguage(early, 'de');
  await expect(name).toHaveValue('Maria Goeppert');
  await expect(form.locator('#email')).toHaveValue('maria');
});

test('what is said of a press of Give is said in the words that came', async ({ early, come }) => {
  const { form, notice } = early;
  const email = newEmail();
  await form.getByRole('radio', { name: /^50/ }).click();
  await early.fillDonor({ name: 'Maria Goeppert', email: 'maria' });
  await come();
  await expectLanguage(early, 'en');
  await early.give.click();
  await expect(notice).toContainText('Geben Sie');
  await expect(notice).toBeFocused();
  await expectLanguage(early, 'de');
  await expect(form.locator('#name')).toHaveValue('Maria Goeppert');

  await form.locator('#email').fill(email);
  await early.fillCard(CARDS.good);
  await form.getByRole('button', { name: /spenden$/ }).click();
  await expect(form.getByRole('heading', { name: 'Danke, Maria' })).toBeVisible();
});

test('a gift that was under way when they came is thanked for in them', async ({
  early,
  come,
  house,
}) => {
  const email = newEmail();
  await early.form.getByRole('radio', { name: /^50/ }).click();
  await early.fillDonor({ name: 'Maria Goeppert', email });
  await early.fillCard(CARDS.good);
  await come();
  await expectLanguage(early, 'en'); // The focus is on the card's own fields.
  await expect(early.card.getByLabel('Security code')).toHaveValue('123');
  await early.give.click();
  await expect(early.form.getByRole('heading', { name: 'Danke, Maria' })).toBeVisible();
  await expect(early.form.getByRole('heading', { name: 'Danke, Maria' })).toBeFocused();
  await expect.poll(() => donationsOf(house, email)).toMatchObject([{ amount_cents: 5000 }]);
});

test('a dialog that has only just opened turns, too', async ({ come, donate, page, pages }) => {
  await page.goto(`${pages}/bare`);
  await page.evaluate(async () => {
    const form = document.createElement('connect-donate');
    for (const [name, value] of Object.entries({ display: 'modal', locale: 'de' }))
      form.setAttribute(name, value);
    document.body.append(form);
    await customElements.whenDefined('connect-donate');
    await (form as HTMLElement & { open: () => Promise<void> }).open();
  });
  await expectLanguage(donate, 'en');
  await expect(donate.give).toBeVisible();
  await expect(donate.form.locator('[part=close]')).toBeFocused();
  await come();
  await expectLanguage(donate, 'de');
  await expect(donate.form.locator('[part=close]')).toBeFocused();
  await expect(donate.form.getByRole('button', { name: 'Schließen' })).toBeVisible();
});

test('a meter says late words, too', async ({ come, page, pages }) => {
  await page.goto(`${pages}/goal`);
  const goal = page.locator('connect-goal');
  await expect(goal.locator('[part=text]')).toHaveText(/^raised of/);
  await goal.evaluate((element) => element.setAttribute('locale', 'de'));
  // It waits for them no longer: numbers are written the German way already.
  await expect(goal.locator('[part=sum]')).toHaveText(/\s\$$/);
  await expect(goal.locator('[part=text]')).toHaveText(/^raised of/);
  await come();
  await expect(goal.locator('[part=text]')).toHaveText(/gesammelt$/);
});
