import { PUBLICATION_TIMEOUT_MS, test } from './support/empty-system.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail, type Page } from './support/fixtures.ts';

const PASSWORD = 'four words are enough';

/** Creates the owner and the organization. */
async function setUp(page: Page, setupLink: string): Promise<void> {
  await page.goto(setupLink);
  await page.getByRole('button', { name: 'Start setup' }).click();
  await page.getByLabel('Your name').fill('Rosa Gardner');
  await page.getByLabel('Email').fill('rosa@garden.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Garden Friends');
  await page.getByLabel('Contact email').fill('hello@garden.example');
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Fills in the page of the keys. */
async function enterKeys(page: Page, mode: 'test' | 'live'): Promise<void> {
  await page.getByLabel('Publishable key').fill(`pk_${mode}_own_garden`);
  await page.getByLabel('Secret key').fill(`sk_${mode}_own_garden`);
  await page.getByRole('button', { name: 'Check and save keys' }).click();
  await expect(page.getByText('You can take card payments')).toBeVisible();
}

/** Publishes a form, allows the website, and returns the code for its pages. */
async function publishForm(page: Page, website: string): Promise<string> {
  await page.getByRole('link', { name: 'Create a form', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Seeds');
  await page.getByRole('radio', { name: /^Fixed amounts/ }).check();
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('link', { name: 'Allow a website', exact: true }).click();
  await page.getByRole('textbox', { name: 'Website' }).fill(website);
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByRole('link', { name: 'Copy the code', exact: true }).click();
  return await page.getByLabel('Code for your website').inputValue();
}

test('an owner goes from test keys to live keys, and back', async ({
  page: website,
  context,
  donate,
  pages,
  system,
  monitor,
}) => {
  test.slow(); // The server fetches its lists at most twice a minute.
  monitor.allowErrors(/40[0349]|503|CORS|ERR_FAILED|"seeds"|does not allow this origin/);
  const origin = pages.replace('//localhost', '//garden.localhost');
  const page = await context.newPage();
  /** Checks the page in narrow layouts, too, and returns to the wide one with its navigation. */
  const check = async (name: string) => {
    await expectAccessible(page, name);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  const home = page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true });
  const strip = page.getByRole('complementary', { name: 'Test mode' });
  const payments = page.getByRole('navigation').getByRole('link', { name: 'Payments' });

  /** Donates on the website, once it shows the form. */
  const give = async (code: string) => {
    await expect(async () => {
      await website.goto(`${origin}/pasted?${new URLSearchParams({ code })}`);
      await expect(donate.submitButton).toBeVisible({ timeout: 3000 });
      await expect(donate.form.getByText('Test mode')).toBeVisible();
    }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
    await donate.fill({ email: newEmail(), amount: '$50' });
    await donate.submitButton.click();
    await donate.expectThanks();
  };
  /** Waits until the page, which is loaded again and again, has the text. */
  const reloadUntil = (text: string | RegExp) =>
    expect(async () => {
      await page.reload();
      await expect(page.getByRole('main').getByText(text).first()).toBeVisible({ timeout: 1000 });
    }).toPass();

  await page.setViewportSize({ width: 1280, height: 900 });
  await setUp(page, system.site);
  await expect(strip, 'without keys, nothing is said about them').toHaveCount(0);

  const code = await test.step('test keys, and a form', async () => {
    await page.getByRole('link', { name: 'Set up card payments', exact: true }).click();
    await page.getByRole('link', { name: 'Enter Stripe keys' }).click();
    await enterKeys(page, 'test');
    await expect(strip).toContainText('No real money moves');
    return await publishForm(page, `${origin}/seeds`);
  });

  await test.step('a paid test counts as long as nothing is real', async () => {
    await give(code);
    await home.click();
    await reloadUntil('$50.00');
    await expect(page.getByText('7 of 8 steps done')).toBeVisible();
  });

  await test.step('the strip leads to what stays and what is left behind', async () => {
    await strip.getByRole('link', { name: 'Take real donations' }).click();
    await expect(page.getByText('1 test donation')).toBeVisible();
    await expect(page.getByText('1 published form')).toBeVisible();
    await check('the page before live keys');
    await page.getByRole('link', { name: 'Enter live keys' }).click();
    await enterKeys(page, 'live');
    await expect(strip).toHaveCount(0);
  });

  await test.step('the test no longer counts', async () => {
    await home.click();
    await expect(page.getByRole('main').getByText('$50.00')).toHaveCount(0);
    await page.getByRole('main').getByRole('link', { name: 'Take real donations' }).click();
    await expect(page.getByText('3 of 4 done')).toBeVisible();
    await check('the page with live keys');
  });

  await test.step('the test is found by its filter, with its mark', async () => {
    await payments.click();
    await page.getByRole('link', { name: 'What happens with test keys' }).click();
    await page.getByRole('link', { name: '1 test donation' }).click();
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').getByText('Test', { exact: true })).toBeVisible();
  });

  await test.step('test keys come back, and tests still do not count', async () => {
    await payments.click();
    await page.getByRole('link', { name: 'Replace keys' }).click();
    await enterKeys(page, 'test');
    await strip.getByRole('link', { name: 'Take real donations' }).click();
    await expect(page.getByText('You have returned to test keys')).toBeVisible();
    await check('the page with test keys again');
    await home.click();
    await expect(page.getByRole('main').getByText('$50.00')).toHaveCount(0);
  });

  await test.step('live keys come back', async () => {
    await strip.getByRole('link', { name: 'Take real donations' }).click();
    await page.getByRole('link', { name: 'Enter live keys' }).click();
    await enterKeys(page, 'live');
    await expect(strip).toHaveCount(0);
  });
});
