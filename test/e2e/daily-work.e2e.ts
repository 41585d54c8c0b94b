import { readFile } from 'node:fs/promises';
import { donationsOf } from '../support/donations.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

test('a treasurer finds a donation, corrects its donor, and erases them on request', async ({
  dashboard,
  donate,
  page,
  system,
  monitor,
}) => {
  test.slow(); // Each page is checked with axe in four layouts.
  const email = newEmail();
  await donate.open();
  await donate.fill({ email, amount: '$50', name: 'Maud Lewis' });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const [donation] = await donationsOf(system, email);

  await dashboard.signIn();
  await expectAccessible(page, 'the home page');

  await test.step('search the reference and open the donation', async () => {
    await page.getByLabel('Search donations, donors and payouts').fill(donation!.reference);
    await page.getByLabel('Search donations, donors and payouts').press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(donation!.reference);
    expect(page.url()).not.toContain(donation!.reference);
    await expectAccessible(page, 'the results');
    await page.getByRole('link', { name: 'Maud Lewis' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Maud Lewis');
    await expectAccessible(page, 'the donation');
  });

  await test.step('send the receipt again', async () => {
    await page.getByRole('link', { name: 'Send receipt again' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expectAccessible(page, 'the receipt');
    await page.getByRole('button', { name: 'Send receipt' }).click();
    await expect(page.getByText('The receipt will be sent in a moment.')).toBeVisible();
  });

  const corrected = newEmail();
  await test.step('correct the email address', async () => {
    await page.getByRole('link', { name: 'Maud Lewis' }).click();
    await page.getByRole('link', { name: 'Correct name or email' }).click();
    monitor.allowErrors(/status of 400/);
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
      /Enter an email address such as/,
    );
    await expectAccessible(page, 'a rejected correction');
    await page.getByLabel('Email').fill(corrected);
    await page.getByRole('button', { name: 'Save correction' }).click();
    await expect(page.getByText('Donor corrected.')).toBeVisible();
    expect(await donationsOf(system, corrected)).toHaveLength(1);
  });

  await test.step('add a note', async () => {
    await page.getByText('Add a note').click();
    await page.getByLabel('New note').fill('Called on Monday.\nPrefers email.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(page.getByText('Called on Monday.')).toBeVisible();
    await expectAccessible(page, 'the donor');
  });

  await test.step('export the data', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export data' }).click();
    const data = await readFile(await (await download).path(), 'utf8');
    for (const part of [corrected, 'Called on Monday.', donation!.reference])
      expect(data).toContain(part);
  });

  await test.step('erase the data', async () => {
    await page.getByRole('link', { name: 'Erase data' }).click();
    await expectAccessible(page, 'the confirmation');
    await page.getByLabel('Enter “Maud Lewis” to confirm').fill('Maud Lewis');
    await page.getByRole('button', { name: 'Erase data' }).click();
    await expect(page.getByRole('heading', { name: 'Erased donor' })).toBeVisible();
    await expect(page.getByRole('cell', { name: donation!.reference })).toBeVisible();
    await expectAccessible(page, 'the erased donor');
    expect(await donationsOf(system, corrected)).toHaveLength(0);
  });
});
