import type { Donation, Donor, Payout } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import type { Locator } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { callApi, filterToPastDonations } from './call-api.ts';

/** Clicking a row opens a drawer with the details of its resource. */

/** The row that is first now, also if later rows are inserted above it, and its button. */
async function firstOf(table: Locator) {
  const row = table.locator('tr[data-id]').first();
  await expect(row).toBeVisible();
  const id = (await row.getAttribute('data-id'))!;
  return { id, button: table.locator(`tr[data-id="${id}"]`).getByRole('button') };
}

test('a donation opens by keyboard, is fetched again, and returns the focus', async ({
  platform,
  system,
}) => {
  await platform.open();
  const { page, donations } = platform;
  // Donations older than all tests, so that the first row does not change.
  await filterToPastDonations(donations);
  const { id, button } = await firstOf(donations);
  const responsePromise = page.waitForResponse(`${system.api_base}/donations/${id}`);
  await button.focus();
  await page.keyboard.press('Enter');
  const drawer = donations.getByRole('dialog', { name: 'Details' });
  await expect(drawer).toBeVisible();
  expect((await responsePromise).status()).toBe(200);

  const donation = await callApi<Donation>(system, `/donations/${id}`);
  const amount = formatMoney(donation.amount_cents, donation.currency, 'en');
  const { reference, donor_name, donor_email, fund_name } = donation;
  for (const value of [reference, amount, donor_name, donor_email, fund_name]) {
    if (value) await expect(drawer).toContainText(value);
  }
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();
});

test('a donor and a payout open and close by a click', async ({ platform, system }) => {
  await platform.open();
  const drawerOf = (table: Locator) => table.getByRole('dialog', { name: 'Details' });

  const donor = await firstOf(platform.donors);
  await donor.button.click();
  const { email } = await callApi<Donor>(system, `/donors/${donor.id}`);
  await expect(drawerOf(platform.donors)).toContainText(donor.id);
  if (email) await expect(drawerOf(platform.donors)).toContainText(email);
  await drawerOf(platform.donors).getByRole('button', { name: 'Close' }).click();
  await expect(drawerOf(platform.donors)).toBeHidden();

  const payout = await firstOf(platform.payouts);
  await payout.button.click();
  const { amount_cents, currency } = await callApi<Payout>(system, `/payouts/${payout.id}`);
  await expect(drawerOf(platform.payouts)).toContainText(formatMoney(amount_cents, currency, 'en'));
  await platform.page.mouse.click(10, 400); // Outside of the drawer.
  await expect(drawerOf(platform.payouts)).toBeHidden();
});

test('a page that cancels the row’s click event opens no drawer', async ({ platform }) => {
  await platform.open();
  const pressed = platform.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('connect-row-click', (event) => {
          event.preventDefault();
          resolve((event as Event & { row: { id: string } }).row.id);
        });
      }),
  );
  const { id, button } = await firstOf(platform.donations);
  await button.click();
  expect(await pressed).toBe(id);
  await expect(platform.page.getByRole('dialog')).toHaveCount(0);
});
