import type { Response } from 'playwright/test';
import { expect, newEmail, test } from './support/fixtures.ts';

/** Live tables (server-sent events), which update without polling. */

test('a donation appears in a live table when it is made, without moving the focus', async ({
  donate,
  platform,
}) => {
  const { page, donations } = platform;
  const stream = page.waitForResponse(isStream);
  let streams = false;
  const caughtUp = page.waitForResponse((response) => {
    streams ||= isStream(response);
    return streams && response.url().includes('/donations?');
  });
  await platform.open();
  const response = await stream;
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(response.headers()['cache-control']).toBe('no-store, no-transform');
  await caughtUp;

  const first = donations.getByRole('row').nth(1).getByRole('button');
  const focusedRow = (await first.elementHandle())!;
  await focusedRow.focus();
  const requestUrls: string[] = [];
  page.on('request', (request) => requestUrls.push(request.url()));
  const name = `Ada ${newEmail().slice(6, 14)}`;
  await donate.open();
  await donate.fill({ email: newEmail(), name });
  await donate.submitButton.click();
  await donate.expectThanks();

  // Other tests may donate at the same time.
  const input = donations.getByRole('row').filter({ hasText: name });
  await expect(input).toHaveCount(1);
  await expect(donations.getByRole('status')).toHaveText(/^New donations: \d+$/);
  expect(await input.evaluate(isAbove, focusedRow)).toBe(true);
  // The focused button keeps the focus, further down.
  expect(
    await focusedRow.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node),
  ).toBe(true);
  await expect(platform.donors).toContainText(name);
  // Only the totals and the chart are fetched again.
  expect(requestUrls.filter((url) => !/\/donations\/(series|summary)\?/.test(url))).toEqual([]);
});

/** Runs in the page. */
const isAbove = (row: Element, other: Node) =>
  !!(row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** All tables of the page share one stream. */
const isStream = (response: Response) =>
  response.url().endsWith('/live?components=donations,donors,payouts');
