import type { Payout } from '@connect-embed/contract';
import type { Locator } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { callApi, openFilters } from './call-api.ts';

/** The viewer is almost a day ahead of the organization: docs/decisions/0051-dates-and-time-zones.md */
const VIEWER = 'Pacific/Auckland';
const ORGANIZATION = 'America/New_York';
test.use({ timezoneId: VIEWER });

const dayIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(Date.parse(moment));

/** The times in the rows of a table: displayed text and machine-readable value. */
const timesOf = (table: Locator) =>
  table.locator('.rows time').evaluateAll((times) =>
    times.map((time) => ({
      moment: (time as HTMLTimeElement).dateTime,
      text: time.textContent,
    })),
  );

test('times are shown in the organization’s time zone for viewers anywhere', async ({
  platform,
}) => {
  await platform.open();
  const { page, donations } = platform;
  expect(await page.evaluate(() => new Date(0).getTimezoneOffset())).toBe(-720);
  // Enough rows of earlier days that some are on another day in the viewer's zone. Today's donations of
  // other journeys may all be on the same day in both zones, depending on the hour.
  await donations.evaluate((table) => Object.assign(table, { limit: 100 }));
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  const lastDay = new Intl.DateTimeFormat('en-CA', { timeZone: ORGANIZATION }).format(
    Date.parse(yesterday),
  );
  await openFilters(donations);
  await donations.getByLabel('To', { exact: true }).fill(lastDay);
  const today = dayIn(ORGANIZATION, new Date().toISOString());
  await expect
    .poll(async () => {
      const shown = await timesOf(donations);
      return shown.length >= 100 && shown.every(({ text }) => text !== today);
    })
    .toBe(true);
  const times = await timesOf(donations);
  for (const { moment, text } of times) expect(text, moment).toBe(dayIn(ORGANIZATION, moment));
  expect(times.some(({ moment, text }) => text !== dayIn(VIEWER, moment))).toBe(true);

  const row = donations.locator('tr[data-id]').first();
  const shownTime = await row.locator('time').textContent();
  await row.getByRole('button').click();
  await expect(donations.getByRole('dialog').locator('time').first()).toHaveText(shownTime!);
});

test('a payout’s arrival date is the same day in every time zone', async ({ platform, system }) => {
  await platform.open();
  const { payouts } = platform;
  await expect(payouts.locator('.rows time').first()).toBeVisible();
  const { data } = await callApi<{ data: Payout[] }>(system, '/payouts?limit=10');
  const days = data.map(({ arrival_date }) => dayIn('UTC', arrival_date));
  expect((await timesOf(payouts)).map(({ text }) => text)).toEqual(days);
  for (const zone of [VIEWER, 'Pacific/Pago_Pago']) {
    await payouts.evaluate((table, timeZone) => Object.assign(table, { timeZone }), zone);
    await expect(payouts.locator('.rows time')).toHaveText(days);
  }
});

test('days in filters are the organization’s, in summer and in winter', async ({ platform }) => {
  await platform.open();
  const { page, donations } = platform;
  await openFilters(donations);
  const field = donations.getByLabel('From', { exact: true });
  for (const [day, begins] of [
    ['2026-01-15', '2026-01-15T05:00:00.000Z'],
    ['2026-07-04', '2026-07-04T04:00:00.000Z'],
  ] as const) {
    // Matches this day only; a request for the previous value may still be pending.
    const from = `created_from=${encodeURIComponent(begins)}`;
    const requestsPeriod = (path: string) => (item: { url(): string }) =>
      item.url().includes(path) && item.url().includes(from);
    const list = page.waitForRequest(requestsPeriod('/donations?'));
    const series = page.waitForRequest(requestsPeriod('/series?'));
    await expect(field).toBeVisible();
    await field.fill(day);
    await list;
    expect(new URL((await series).url()).searchParams.get('time_zone')).toBe(ORGANIZATION);
    await expect(field).toHaveValue(day);
  }
});
