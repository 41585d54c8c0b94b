import { PUBLICATION_TIMEOUT_MS, test } from './support/empty-system.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail } from './support/fixtures.ts';

const OWNER = {
  name: 'Rosa Gardner',
  email: 'rosa@garden.example',
  password: 'four words are enough',
};

test('an owner gets from an empty database to a donation on their page by on-screen text alone', async ({
  page,
  donate,
  pages,
  system,
  monitor,
}) => {
  test.slow(); // The server fetches its lists at most twice a minute.
  /** Follows the button of the next step in the checklist, or above another page. */
  const nextStep = async (name: string) => {
    const link = page.getByRole('link', { name, exact: true });
    await link.click();
  };

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
    await page.getByLabel('Your name').fill(OWNER.name);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Continue' }).click();
  });

  await test.step('the organization', async () => {
    await expect(page.getByRole('heading', { name: 'Your organization' })).toBeVisible();
    await expect(page.getByLabel('Time zone')).not.toHaveValue('');
    await expectAccessible(page, 'the setup of the organization');
    await page.getByLabel('Name', { exact: true }).fill('Garden Friends');
    await page.getByLabel('Contact email').fill('hello@garden.example');
    await page.getByLabel('Tax ID').fill('12-3456789');
    await page.getByRole('button', { name: 'Continue' }).click();
  });
  await expect(page.getByRole('heading', { name: 'Get your first donation' })).toBeVisible();
  await expectAccessible(page, 'the checklist');

  await test.step('card payments with own keys', async () => {
    await nextStep('Set up card payments');
    await expectAccessible(page, 'card payments without an account');
    await page.getByRole('link', { name: 'Enter Stripe keys' }).click();
    await expectAccessible(page, 'the page of the keys');
    await page.getByLabel('Publishable key').fill('pk_test_own_garden');
    await page.getByLabel('Secret key').fill('sk_test_own_garden');
    await page.getByRole('button', { name: 'Check and save keys' }).click();
    await expect(page.getByText('You can take card payments')).toBeVisible();
    await expectAccessible(page, 'card payments with own keys');
  });

  await test.step('the first form', async () => {
    await nextStep('Create a form');
    await page.getByLabel('Name', { exact: true }).fill('Seeds');
    await page.getByRole('radio', { name: /^Fixed amounts/ }).check();
    await page.getByRole('button', { name: 'Create form' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Published. Pages show this version')).toBeVisible();
    await expectAccessible(page, 'the form with the next step');
  });

  const site = pages.replace('//localhost', '//garden.localhost');
  await test.step('the website', async () => {
    await nextStep('Allow a website');
    await page.getByRole('textbox', { name: 'Website' }).fill(`${site}/seeds`);
    await page.getByRole('button', { name: 'Add website' }).click();
  });

  const code = await test.step('the code', async () => {
    await nextStep('Copy the code');
    return await page.getByLabel('Code for your website').inputValue();
  });
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
