import { donationsOf, intentsOf } from '../support/donations.ts';
import { startDedicatedServer, type DedicatedServer } from '../support/dedicated-server.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { FakeCaptcha, type Provider } from './support/fake-captcha.ts';
import type { DonatePage } from './support/donate-page.ts';
import { expect, newEmail, test as base } from './support/fixtures.ts';

/** CAPTCHA by a third party (Turnstile, hCaptcha), on a dedicated server that requires it. */
const test = base.extend<{ dedicatedServer: DedicatedServer }>({
  dedicatedServer: async ({ system, pages, page }, use) => {
    const own = await startDedicatedServer(system, { ALLOWED_ORIGINS: pages });
    await use(own);
    await page.close(); // The page may still poll the status of its donation.
    await own.close();
  },
});

/** Opens a page with a strict policy that allows the providers, with a form of the dedicated server. */
async function open(donate: DonatePage, pages: string, own: DedicatedServer, check: FakeCaptcha) {
  await check.install(donate.page, own.url);
  await donate.page.goto(`${pages}/checked`);
  await donate.page.evaluate((server) => {
    const form = document.createElement('connect-donate');
    form.setAttribute('server', server);
    document.querySelector('main')!.append(form);
  }, own.url);
  await expect(donate.give).toBeVisible();
}

for (const provider of ['turnstile', 'hcaptcha'] satisfies Provider[]) {
  test(`${provider}: loaded only when the server requires it, and the donation succeeds`, async ({
    donate,
    system,
    pages,
    dedicatedServer,
    monitor,
  }) => {
    const check = new FakeCaptcha(provider);
    const email = newEmail();
    await open(donate, pages, dedicatedServer, check);
    await donate.fill({ email });
    const asked = () => monitor.requests.filter((item) => new URL(item.url()).host === check.host);
    expect(asked()).toHaveLength(0);

    await donate.give.click();
    await expect(donate.notice).toContainText('confirm that you are human');
    await expect(donate.notice).toBeFocused();
    const person = donate.page.getByRole('button', { name: 'I am a person' });
    await person.focus();
    await donate.page.keyboard.press('Enter');
    await donate.expectThanks();
    await expect(person).toHaveCount(0);
    expect(asked()).toHaveLength(1);
    expect(check.proofs).toEqual([expect.stringMatching(/^token-/)]);
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  });

  test(`${provider}: an expired, failed or abandoned challenge`, async ({
    donate,
    system,
    pages,
    dedicatedServer,
  }) => {
    const check = new FakeCaptcha(provider);
    const email = newEmail();
    await open(donate, pages, dedicatedServer, check);
    await donate.fill({ email });
    const { page, notice } = donate;
    await donate.give.click();
    await page.getByRole('button', { name: 'Run out' }).click();
    await expect(notice).toContainText('The check has expired.');
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(notice).toContainText('You were not charged. Try again');

    await page.getByRole('button', { name: 'Back to the form' }).click();
    await expect(notice).toContainText('You were not charged. You can try again.');
    expect(await intentsOf(system, email)).toEqual([]);
    await expect(donate.form.getByLabel(/^Email\b/)).toHaveValue(email);

    await donate.give.click();
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'I am a person' }).click();
    await donate.expectThanks();
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  });
}

test('a challenge and a failed challenge are accessible', async ({
  donate,
  pages,
  dedicatedServer,
}) => {
  test.slow(); // Eight accessibility checks of the whole page.
  await open(donate, pages, dedicatedServer, new FakeCaptcha('turnstile'));
  await donate.fill({ email: newEmail() });
  await donate.give.click();
  const fail = donate.page.getByRole('button', { name: 'Fail' });
  await expect(fail).toBeVisible();
  await expectAccessible(donate.page, 'the check of a third party');
  await fail.click();
  await expect(donate.notice).toContainText('The check could not be completed.');
  await expectAccessible(donate.page, 'a check that failed');
});

test('a blocked provider: an error message, a link to the hosted page, and a retry', async ({
  donate,
  system,
  pages,
  dedicatedServer,
  monitor,
}) => {
  monitor.allowErrors(/BLOCKED_BY_CLIENT|could not be loaded/);
  const check = new FakeCaptcha('turnstile');
  check.blocked = true;
  const email = newEmail();
  await open(donate, pages, dedicatedServer, check);
  await donate.fill({ email });
  await donate.give.click();
  await expect(donate.notice).toContainText('The check could not be completed.');
  const link = donate.notice.getByRole('link', { name: 'Give on our secure page' });
  expect(await link.getAttribute('href')).toMatch(/\/embed\/es_\w+$/);
  check.blocked = false;
  await donate.page.getByRole('button', { name: 'Try again' }).click();
  await donate.page.getByRole('button', { name: 'I am a person' }).click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
