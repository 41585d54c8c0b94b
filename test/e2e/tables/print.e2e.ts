import { expect, test } from '../support/fixtures.ts';

test('a printed table has its rows, totals and chart, no buttons, and its header on every page', async ({
  platform,
}) => {
  await platform.open();
  const { page, donations, payouts } = platform;
  await expect(donations.getByRole('button', { name: 'Filters' })).toBeVisible();
  await expect(payouts.getByRole('row').nth(1)).toBeVisible();
  const sums = donations.locator('.totals-list').first();
  const bars = donations.locator('.chart .bar').first();
  for (const shown of [sums, bars]) await expect(shown).toBeVisible();
  await donations.getByRole('button', { name: 'Filters' }).click();
  await expect(donations.getByRole('combobox').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const shown of [sums, bars]) await expect(shown).toBeVisible();
  for (const table of [donations, payouts]) {
    await expect(table.getByRole('button', { name: 'Show more' })).toBeHidden();
    // Donations of other tests may arrive in the live table.
    await expect.poll(() => table.locator('tbody.rows tr').count()).toBeGreaterThanOrEqual(10);
    await expect(table.locator('[part=table] thead')).toHaveCSS('display', 'table-header-group');
    await expect(table.locator('.rows tr').first()).toHaveCSS('break-inside', 'avoid');
    await expect(table.locator('[part=frame]')).toHaveCSS('border-top-width', '0px');
    await expect(table.getByRole('button', { name: 'Filters' })).toBeHidden();
  }
  await expect(donations.getByRole('textbox')).toHaveCount(0);
  await expect(donations.getByRole('combobox')).toHaveCount(0);
  const sheets = await page.pdf({ format: 'A4' });
  expect(sheets.subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: 'screen' });
  await expect(donations.getByRole('button', { name: 'Show more' })).toBeVisible();
});
