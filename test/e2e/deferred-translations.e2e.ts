import { donationsOf } from '../support/donations.ts';
import { CARDS, type DonatePage } from './support/donate-page.ts';
import { test as base, expect, newEmail, type Page } from './support/fixtures.ts';

/**
 * Translations that load after the form was rendered in English:
 * docs/decisions/0049-languages.md
 */

const TRANSLATION_FILE = /\/(?:form|goal)-de-[\w-]{8}\.js$/;

/**
 * Delays the translations of a page.
 *
 * @returns a function that lets them load, and waits until they are evaluated
 */
async function holdTranslations(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const translationRequest = page.waitForRequest(TRANSLATION_FILE);
  await page.route(TRANSLATION_FILE, async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    const address = (await translationRequest).url();
    release();
    // The element imported the same module earlier, so it is notified first.
    await page.evaluate(async (url) => {
      await import(url);
      await new Promise(requestAnimationFrame);
    }, address);
  };
}

interface Fixtures {
  /** Lets the translations load. */
  loadTranslations: () => Promise<void>;
  /** A form that was rendered without translations. */
  untranslated: DonatePage;
}

const test = base.extend<Fixtures>({
  loadTranslations: async ({ page }, use) => use(await holdTranslations(page)),
  untranslated: async ({ loadTranslations, donate, pages }, use) => {
    expect(loadTranslations).toBeTruthy();
    await donate.open(`${pages}/german`);
    await expectLanguage(donate, 'en');
    await use(donate);
  },
});

const formFrame = ({ form }: DonatePage) => form.locator('[part=frame]');
const expectLanguage = (donate: DonatePage, language: string) =>
  expect(formFrame(donate)).toHaveAttribute('lang', language);

test('late translations are applied to a form without focus', async ({
  untranslated,
  loadTranslations,
}) => {
  await untranslated.form.getByRole('radio', { name: /^100/ }).click();
  await untranslated.page.mouse.click(2, 2);
  await loadTranslations();
  await expect(untranslated.form.getByRole('heading', { name: /^Spenden für/ })).toBeVisible();
  await expectLanguage(untranslated, 'de');
  await expect(untranslated.form.getByRole('radio', { name: /^100/ })).toBeChecked();
  await expect(untranslated.form.getByRole('button', { name: /^100.*spenden$/ })).toBeVisible();
});

test('late translations wait until a typing donor leaves the form', async ({
  untranslated,
  loadTranslations,
}) => {
  const { page, form } = untranslated;
  const name = form.locator('#name');
  await name.click();
  await page.keyboard.type('Maria Goep');
  const before = await name.boundingBox();
  await loadTranslations();
  await page.keyboard.type('pert');
  await expectLanguage(untranslated, 'en');
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Maria Goeppert');
  expect(await name.boundingBox()).toEqual(before);

  await page.keyboard.press('Tab');
  await page.keyboard.type('maria');
  await expect(form.locator('#email')).toBeFocused();
  await expectLanguage(untranslated, 'en');

  await page.mouse.click(2, 2);
  await expectLanguage(untranslated, 'de');
  await expect(name).toHaveValue('Maria Goeppert');
  await expect(form.locator('#email')).toHaveValue('maria');
});

test('the messages after a submit are in the late translations', async ({
  untranslated,
  loadTranslations,
}) => {
  const { form, message } = untranslated;
  const email = newEmail();
  await form.getByRole('radio', { name: /^50/ }).click();
  await untranslated.fillDonor({ name: 'Maria Goeppert', email: 'maria' });
  await loadTranslations();
  await expectLanguage(untranslated, 'en');
  await untranslated.submitButton.click();
  await expect(message).toContainText('Ergänzen Sie');
  await expect(message).toBeFocused();
  await expectLanguage(untranslated, 'de');
  await expect(form.locator('#name')).toHaveValue('Maria Goeppert');

  await form.locator('#email').fill(email);
  await untranslated.fillCard(CARDS.good);
  await form.getByRole('button', { name: /spenden$/ }).click();
  await expect(form.getByRole('heading', { name: 'Vielen Dank, Maria' })).toBeVisible();
});

test('a donation in progress is thanked for in the late translations', async ({
  untranslated,
  loadTranslations,
  system,
}) => {
  const email = newEmail();
  await untranslated.form.getByRole('radio', { name: /^50/ }).click();
  await untranslated.fillDonor({ name: 'Maria Goeppert', email });
  await untranslated.fillCard(CARDS.good);
  await loadTranslations();
  await expectLanguage(untranslated, 'en'); // The focus is in the card form.
  await expect(untranslated.card.getByLabel('Security code')).toHaveValue('123');
  await untranslated.submitButton.click();
  await expect(
    untranslated.form.getByRole('heading', { name: 'Vielen Dank, Maria' }),
  ).toBeVisible();
  await expect(
    untranslated.form.getByRole('heading', { name: 'Vielen Dank, Maria' }),
  ).toBeFocused();
  await expect.poll(() => donationsOf(system, email)).toMatchObject([{ amount_cents: 5000 }]);
});

test('a dialog that has just opened is translated too', async ({
  loadTranslations,
  donate,
  page,
  pages,
}) => {
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
  await expect(donate.submitButton).toBeVisible();
  await expect(donate.form.locator('[part=close-button]')).toBeFocused();
  await loadTranslations();
  await expectLanguage(donate, 'de');
  await expect(donate.form.locator('[part=close-button]')).toBeFocused();
  await expect(donate.form.getByRole('button', { name: 'Schließen' })).toBeVisible();
});

test('a goal applies late translations too', async ({ loadTranslations, page, pages }) => {
  await page.goto(`${pages}/goal`);
  const goal = page.locator('connect-goal');
  await expect(goal.locator('[part=description]')).toHaveText(/^raised of/);
  await goal.evaluate((element) => element.setAttribute('locale', 'de'));
  // Numbers already have the German format; the message is still English.
  await expect(goal.locator('[part=amount]')).toHaveText(/\s\$$/);
  await expect(goal.locator('[part=description]')).toHaveText(/^raised of/);
  await loadTranslations();
  await expect(goal.locator('[part=description]')).toHaveText(/gesammelt$/);
});
