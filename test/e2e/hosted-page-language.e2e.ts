import { donationsOf } from '../support/donations.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { CARDS, DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The hosted page and its form are in the language of the visitor's browser. */
test.use({ locale: 'de-AT' });

const TRANSLATION_BUNDLE = /\/form-(\w+)-[\w-]{8}\.js$/;

test('a donation in the donor’s language loads one translation file', async ({
  system,
  page,
  monitor,
}) => {
  const email = newEmail();
  await page.goto(await newEmbedUrl(system));
  const donate = new DonatePage(page, system, monitor);
  const { form } = donate;
  await expect(form.getByRole('heading', { name: /^Spenden für Harbor/ })).toBeVisible();
  await expectAccessible(page, 'the hosted page, in German');
  await form.getByLabel(/^Vor- und Nachname/).fill('Maria Goeppert');
  await form.getByLabel(/^E-Mail/).fill(email);
  await form.getByRole('radio', { name: /\b50\b/ }).click();
  await donate.fillCard(CARDS.good);
  await form.getByRole('button', { name: /50.*spenden/ }).click();
  await expect(form.getByRole('heading', { name: 'Vielen Dank, Maria' })).toBeVisible();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const loadedLanguages = monitor.requests
    .map((request) => TRANSLATION_BUNDLE.exec(request.url())?.[1])
    .filter(Boolean);
  expect(loadedLanguages).toEqual(['de']);
});

test('English if the translations cannot be loaded', async ({ system, page, monitor }) => {
  monitor.allowErrors(/ERR_FAILED/);
  await page.route(TRANSLATION_BUNDLE, (route) => route.abort());
  await page.goto(await newEmbedUrl(system));
  const { submitButton } = new DonatePage(page, system, monitor);
  await expect(submitButton).toBeVisible();
  await expect(page.locator('connect-donate [part=frame]')).toHaveAttribute('lang', 'en');
});

/** Creates an embed session with the API key, as the owner of a site without scripts does. */
async function newEmbedUrl(system: { api_base: string; api_key: string }): Promise<string> {
  const response = await fetch(`${system.api_base}/embed-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.api_key}` },
  });
  return ((await response.json()) as { embed_url: string }).embed_url;
}
