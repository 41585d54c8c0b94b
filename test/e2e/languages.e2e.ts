import { donationsOf } from '../support/gifts.ts';
import { expectAccessible } from './support/accessible.ts';
import { CARDS, DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The hosted page speaks the language of the visitor's browser, and its form with it. */
test.use({ locale: 'de-AT' });

const WORDS = /\/form-(\w+)-[\w-]{8}\.js$/;

test('a gift in the donor’s language, for one file of words', async ({ house, page, watch }) => {
  const email = newEmail();
  await page.goto(await newEmbedUrl(house));
  const donate = new DonatePage(page, house, watch);
  const { form } = donate;
  await expect(form.getByRole('heading', { name: /^Spenden für Harbor/ })).toBeVisible();
  await expectAccessible(page, 'the hosted page, in German');
  await form.getByLabel(/^Name/).fill('Maria Goeppert');
  await form.getByLabel(/^E-Mail/).fill(email);
  await form.getByRole('radio', { name: /\b50\b/ }).click();
  await donate.fillCard(CARDS.good);
  await form.getByRole('button', { name: /50.*spenden/ }).click();
  await expect(form.getByRole('heading', { name: 'Danke, Maria' })).toBeVisible();
  await expect.poll(() => donationsOf(house, email)).toHaveLength(1);
  const words = watch.requests.map((request) => WORDS.exec(request.url())?.[1]).filter(Boolean);
  expect(words).toEqual(['de']);
});

test('English where the words cannot be had', async ({ house, page, watch }) => {
  watch.allow(/ERR_FAILED/);
  await page.route(WORDS, (route) => route.abort());
  await page.goto(await newEmbedUrl(house));
  const { give } = new DonatePage(page, house, watch);
  await expect(give).toBeVisible();
  await expect(page.locator('connect-donate [part=frame]')).toHaveAttribute('lang', 'en');
});

/** A session that is opened by hand, as the owner of a site without scripts would. */
async function newEmbedUrl(house: { api_base: string; api_key: string }): Promise<string> {
  const answer = await fetch(`${house.api_base}/embed-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.api_key}` },
  });
  return ((await answer.json()) as { embed_url: string }).embed_url;
}
