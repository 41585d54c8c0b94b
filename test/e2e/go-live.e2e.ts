import { PUBLICATION_TIMEOUT_MS, test } from './support/empty-system.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail } from './support/fixtures.ts';
import { allowWebsite, enterKeys, publishForm, setUp } from './support/setup-pages.ts';

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
    await enterKeys(page);
    await expect(strip).toContainText('No real money moves');
    await publishForm(page);
    return await allowWebsite(page, `${origin}/seeds`);
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
    await enterKeys(page);
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
