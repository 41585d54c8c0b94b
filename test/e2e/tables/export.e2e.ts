import type { Donation, DonationSummary } from '@connect-embed/contract';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { callApi, filterToPastDonations } from './call-api.ts';

/** The CSV export is the API's file of the whole filtered set, independent of the loaded rows. */

/** More rows than the API returns on one page of a list. */
const MANY = 200;
const EXPORT = /\/donations\/export\.csv/;

async function linesOf(
  download: Download,
  part = /^(?:all|to-\d{4}-\d\d-\d\d)$/,
): Promise<string[]> {
  const name = /^donations-harbor-street-food-bank-(.+)\.csv$/.exec(download.suggestedFilename());
  expect(name?.[1]).toMatch(part);
  const bytes = await readFile(await download.path());
  expect([...bytes.subarray(0, 3)], 'a mark of its encoding').toEqual([0xef, 0xbb, 0xbf]);
  const text = bytes.subarray(3).toString('utf8');
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
}

/** Records the requests for a file. */
const exportsOf = (page: Page) => {
  const requests: URL[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && EXPORT.test(request.url()))
      requests.push(new URL(request.url()));
  });
  return requests;
};

test('all filtered donations in one request, in the columns of the dashboard’s export', async ({
  platform,
  system,
}) => {
  await platform.open();
  const { page, donations } = platform;
  await donations.evaluate((table) => Object.assign(table, { columns: 'amount email created_at' }));
  const createdTo = await filterToPastDonations(donations);
  await expect(donations.getByRole('button', { name: 'Clear filters' })).toBeVisible();

  const requests = exportsOf(page);
  const file = page.waitForEvent('download');
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  const [head, ...lines] = await linesOf(await file);
  expect(head).toBe(
    'Donation ID,Reference,Created (America/New_York),Donor,Email,Currency,Amount,Fee,Net,Refunded,' +
      'Disputed,Dispute fee (part of Fee),Status,Recurring,Payment method,Fund,Campaign,Form,Website,Dedication,Message,Payout ID,' +
      'Settlement currency,Settlement amount,Settlement fee,Settlement net,Exchange rate,Livemode',
  );
  const cell = (line: string, heading: string) =>
    line.split(',')[head!.split(',').indexOf(heading)];

  const query = `created_to=${encodeURIComponent(createdTo)}`;
  const { data } = await callApi<DonationSummary>(system, `/donations/summary?${query}`);
  const [{ count, gross_cents } = { count: 0, gross_cents: 0 }] = data;
  expect(count).toBeGreaterThan(MANY);
  expect(lines).toHaveLength(count);
  expect(requests.map(({ searchParams }) => searchParams.get('created_to'))).toEqual([createdTo]);
  const sum = lines.reduce(
    (cents, line) => cents + Math.round(Number(cell(line, 'Amount')) * 100),
    0,
  );
  expect(sum, 'numbers that a spreadsheet adds up').toBe(gross_cents);

  const first = await callApi<{ data: Donation[] }>(system, `/donations?limit=1&${query}`);
  const { id, amount_cents, currency, donor_email, refunded_amount_cents } = first.data[0]!;
  expect(cell(lines[0]!, 'Donation ID')).toBe(id);
  expect(cell(lines[0]!, 'Amount')).toBe((amount_cents / 100).toFixed(2));
  expect(cell(lines[0]!, 'Refunded')).toBe((refunded_amount_cents / 100).toFixed(2));
  expect(cell(lines[0]!, 'Currency')).toBe(currency.toUpperCase());
  expect(cell(lines[0]!, 'Email')).toBe(donor_email ?? '');
  expect(cell(lines[0]!, 'Created (America/New_York)')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('donor input is escaped for spreadsheets, and a search limits the file', async ({
  donate,
  platform,
}) => {
  const mark = newEmail().slice(6, 14);
  const name = `=1+1 "${mark}", Zoë`;
  await donate.open();
  await donate.fill({ email: newEmail(), name });
  await donate.submitButton.click();
  await donate.expectThanks();

  await platform.open();
  const { page, donations } = platform;
  await donations.evaluate((table) =>
    Object.assign(table, { columns: 'donor amount', tools: 'search export' }),
  );
  await expect(donations).toContainText(mark);
  await donations.getByLabel('Search', { exact: true }).fill(mark);
  await expect(donations.locator('tr[data-id]')).toHaveCount(1);
  const file = page.waitForEvent('download');
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  const [, ...lines] = await linesOf(await file, /^selection$/);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`,"'=1+1 ""${mark}"", Zoë",`);
  expect(lines[0]).toContain(',USD,50.00,');
});

test('shows its progress, can be canceled, and started again', async ({ platform }) => {
  await platform.open();
  const { page, donations } = platform;
  const files: Download[] = [];
  page.on('download', (file) => files.push(file));
  await page.route(EXPORT, () => {}); // Never responds.
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  await expect(donations.getByRole('progressbar', { name: 'Export CSV' })).toBeVisible();
  await donations.getByRole('button', { name: 'Cancel' }).click();
  await expect(donations.getByRole('progressbar')).toHaveCount(0);
  await expect(donations.getByRole('alert')).toHaveCount(0);
  expect(files).toEqual([]);

  await page.unroute(EXPORT);
  const file = page.waitForEvent('download');
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  expect((await linesOf(await file)).length).toBeGreaterThan(MANY);
});

test('reports an interruption, and saves no partial file', async ({ platform, monitor }) => {
  monitor.allowErrors(/ERR_FAILED/);
  await platform.open();
  const { page, donations } = platform;
  const files: Download[] = [];
  page.on('download', (file) => files.push(file));
  await page.route(EXPORT, (route) => route.abort('failed'));
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  await expect(donations.getByRole('alert')).toHaveText('The export was interrupted. Try again.');
  expect(files).toEqual([]);
});

test('says that the export failed when its code is missing, as after a release', async ({
  platform,
  monitor,
}) => {
  monitor.allowErrors(/Failed to load resource|page is older than the server/);
  await platform.open();
  const { page, donations } = platform;
  await page.route(/\/csv-export-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await donations.getByRole('button', { name: 'Export CSV' }).click();
  await expect(donations.getByRole('alert')).toHaveText('The export was interrupted. Try again.');
});
