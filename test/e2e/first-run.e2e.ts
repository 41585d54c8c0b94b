import { PUBLICATION_TIMEOUT_MS, test } from './support/empty-system.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail } from './support/fixtures.ts';
import {
  allowWebsite,
  enterKeys,
  fillOrganization,
  fillOwner,
  publishForm,
} from './support/setup-pages.ts';

test('an owner gets from an empty database to a donation on their page by on-screen text alone', async ({
  page,
  donate,
  pages,
  system,
  monitor,
}) => {
  test.slow(); // The server fetches its lists at most twice a minute.
  await test.step('the server says that the setup is not finished', async () => {
    const response = await page.request.get(`${system.server}/embed-form`, {
      headers: { origin: pages },
    });
    expect(response.status()).toBe(503);
  });

  await test.step('the link of the first start leads to an account', async () => {
    await page.goto(system.site);
    await expectAccessible(page, 'the setup link');
    await page.getByRole('button', { name: 'Start setup' }).click();
    await expect(page).toHaveURL(/\/setup$/);
    expect(page.url()).not.toContain('token');
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await expectAccessible(page, 'the account of the owner');
    await fillOwner(page);
  });

  await test.step('the organization', async () => {
    await expect(page.getByRole('heading', { name: 'Your organization' })).toBeVisible();
    await expect(page.getByLabel('Time zone')).not.toHaveValue('');
    await expectAccessible(page, 'the setup of the organization');
    await fillOrganization(page);
  });
  await expect(page.getByRole('heading', { name: 'Get your first donation' })).toBeVisible();
  await expectAccessible(page, 'the checklist');

  await test.step('card payments with own keys', async () => {
    await page.getByRole('link', { name: 'Set up card payments', exact: true }).click();
    await expectAccessible(page, 'card payments without an account');
    await page.getByRole('link', { name: 'Enter Stripe keys' }).click();
    await expectAccessible(page, 'the page of the keys');
    await enterKeys(page);
    await expectAccessible(page, 'card payments with own keys');
  });

  await test.step('the first form', async () => {
    await publishForm(page);
    await expectAccessible(page, 'the form with the next step');
  });

  const site = pages.replace('//localhost', '//garden.localhost');
  const code = await test.step('the website and the code for it', () =>
    allowWebsite(page, `${site}/seeds`));
  const dashboard = await page.context().newPage();
  await dashboard.goto(page.url());

  await test.step('the form takes a donation on the website', async () => {
    monitor.allowErrors(/40[34]|503|CORS|ERR_FAILED|"seeds"|does not allow this origin/);
    await expect(async () => {
      await page.goto(`${site}/pasted?${new URLSearchParams({ code })}`);
      await expect(donate.submitButton).toBeVisible({ timeout: 3000 });
    }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
    await dashboard.reload();
    await dashboard.getByRole('link', { name: 'Make a test donation', exact: true }).click();
    await expect(dashboard.getByText('4242 4242 4242 4242')).toBeVisible();
    await expectAccessible(dashboard, 'the test donation');
    await donate.fill({ email: newEmail(), amount: '$50' });
    await donate.submitButton.click();
    await donate.expectThanks();
  });

  await test.step('and its row is in the dashboard, where real donations are left to do', async () => {
    await dashboard.setViewportSize({ width: 1280, height: 900 });
    const main = dashboard.getByRole('main');
    await main.getByRole('link', { name: 'Donations', exact: true }).click();
    await expect(async () => {
      await dashboard.reload();
      await expect(main.getByText('$50.00').first()).toBeVisible({ timeout: 1000 });
    }).toPass();
    await dashboard.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(dashboard.getByText('7 of 8 steps done')).toBeVisible();
    await expect(main.getByRole('link', { name: 'Take real donations' })).toBeVisible();
  });
});
