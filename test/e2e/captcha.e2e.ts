import { donationsOf, intentsOf } from '../support/donations.ts';
import { FakeCaptcha, type Provider } from './support/fake-captcha.ts';
import type { DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** CAPTCHA by a third party: Turnstile and hCaptcha. */

/** Opens a page with a strict policy that allows the providers, with a form that requires a CAPTCHA. */
async function open(donate: DonatePage, pages: string, server: string, captcha: FakeCaptcha) {
  await captcha.install(donate.page, server);
  await donate.page.goto(`${pages}/checked`);
  await donate.page.evaluate((address) => {
    const form = document.createElement('connect-donate');
    form.setAttribute('server', address);
    document.querySelector('main')!.append(form);
  }, server);
  await expect(donate.submitButton).toBeVisible();
}

for (const provider of ['turnstile', 'hcaptcha'] satisfies Provider[]) {
  test(`${provider}: loaded only when the server requires it, and the donation succeeds`, async ({
    donate,
    system,
    pages,
    monitor,
  }) => {
    const captcha = new FakeCaptcha(provider);
    const email = newEmail();
    await open(donate, pages, system.server, captcha);
    await donate.fill({ email });
    const requestsToProvider = () =>
      monitor.requests.filter((item) => new URL(item.url()).host === captcha.host);
    expect(requestsToProvider()).toHaveLength(0);

    await donate.submitButton.click();
    await expect(donate.message).toContainText('confirm that you are human');
    await expect(donate.message).toBeFocused();
    const person = donate.page.getByRole('button', { name: 'I am a person' });
    await person.focus();
    await donate.page.keyboard.press('Enter');
    await donate.expectThanks();
    await expect(person).toHaveCount(0);
    expect(requestsToProvider()).toHaveLength(1);
    expect(captcha.proofs).toEqual([expect.stringMatching(/^token-/)]);
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  });

  test(`${provider}: an expired, failed or abandoned challenge`, async ({
    donate,
    system,
    pages,
  }) => {
    const captcha = new FakeCaptcha(provider);
    const email = newEmail();
    await open(donate, pages, system.server, captcha);
    await donate.fill({ email });
    const { page, message } = donate;
    await donate.submitButton.click();
    await page.getByRole('button', { name: 'Run out' }).click();
    await expect(message).toContainText('The security check has expired.');
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(message).toContainText('You were not charged. Try again');

    await page.getByRole('button', { name: 'Back to the form' }).click();
    await expect(message).toContainText('You were not charged. You can try again.');
    expect(await intentsOf(system, email)).toEqual([]);
    await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);

    await donate.submitButton.click();
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'I am a person' }).click();
    await donate.expectThanks();
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  });
}

test('a blocked provider: an error message, a link to the hosted page, and a retry', async ({
  donate,
  system,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/BLOCKED_BY_CLIENT|could not be loaded/);
  const captcha = new FakeCaptcha('turnstile');
  captcha.blocked = true;
  const email = newEmail();
  await open(donate, pages, system.server, captcha);
  await donate.fill({ email });
  await donate.submitButton.click();
  await expect(donate.message).toContainText('The security check could not be completed.');
  const link = donate.message.getByRole('link', { name: 'Give on our secure page' });
  expect(await link.getAttribute('href')).toMatch(/\/embed\/es_\w+$/);
  captcha.blocked = false;
  await donate.page.getByRole('button', { name: 'Try again' }).click();
  await donate.page.getByRole('button', { name: 'I am a person' }).click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
