import type { DonationSeries, DonationSummary } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { expect, test } from '../support/fixtures.ts';
import { callApi, filterToPastDonations } from './call-api.ts';

/** Each bar is an image with an accessible name. */
const BAR = { name: /: [\d,]+ donations? · Gross / };

/** Totals and chart above the platform's donations, compared with the API. */

test('the chart and the totals are the API’s, of the filtered donations', async ({
  platform,
  system,
}) => {
  await platform.open();
  const { page, donations } = platform;
  await donations.evaluate((table) => Object.assign(table, { tools: 'filters totals chart' }));
  const chart = donations.locator('.chart');
  await expect(chart.getByRole('img', BAR).first()).toBeVisible();

  const requestPromise = page.waitForRequest((request) =>
    /\/series\?.*created_to=/.test(request.url()),
  );
  const query = `created_to=${encodeURIComponent(await filterToPastDonations(donations))}`;
  const { searchParams } = new URL((await requestPromise).url());
  expect(searchParams.get('time_zone')).toBe('America/New_York');

  const summary = await callApi<DonationSummary>(system, `/donations/summary?${query}`);
  const [sums, ...others] = summary.data;
  expect(others).toEqual([]);
  const money = (cents: number) => formatMoney(cents, sums!.currency, 'en');
  const tiles = donations.locator('[part=totals] dd');
  await expect(tiles.nth(0)).toHaveText(String(sums!.count));
  await expect(tiles.nth(1)).toHaveText(money(sums!.gross_cents));
  await expect(donations.locator('[part=totals]')).toContainText(money(sums!.refunded_cents));

  const series = await callApi<DonationSeries>(system, `/donations/series?${searchParams}`);
  await expect(chart.getByRole('img', BAR)).toHaveCount(series.data.length);
  await chart.getByText('Show as a table').click();
  const figures = chart.getByRole('table', { name: /^Donations by / }).getByRole('row');
  await expect(figures).toHaveCount(series.data.length + 1);
  const cells = await figures.locator('td:nth-of-type(2)').allTextContents();
  expect(cells).toEqual(series.data.map(({ sums: [step] }) => money(step?.gross_cents ?? 0)));

  await donations.getByRole('button', { name: 'Clear filters' }).click();
  await expect(donations.getByLabel('To', { exact: true })).toHaveValue('');
  await expect(tiles.nth(0)).not.toHaveText(String(sums!.count));
});

test('the chart can be navigated by keyboard, and announces the current bar', async ({
  platform,
}) => {
  await platform.open();
  const bars = platform.donations.locator('.chart').getByRole('img', BAR);
  const selectedBar = platform.donations.locator('.chart .summary strong');
  await expect(bars.first()).toBeVisible();
  const names = await bars.evaluateAll((all) =>
    all.map((bar) => bar.getAttribute('aria-label')!.split(':')[0]!),
  );
  await platform.page.getByRole('button', { name: 'Export CSV' }).focus();
  await platform.page.keyboard.press('Tab');
  await expect(bars.last()).toBeFocused();
  await platform.page.keyboard.press('Home');
  await expect(bars.first()).toBeFocused();
  await expect(selectedBar).toHaveText(names[0]!);
  await platform.page.keyboard.press('ArrowRight');
  await expect(bars.nth(1)).toBeFocused();
  await expect(selectedBar).toHaveText(names[1]!);
});
