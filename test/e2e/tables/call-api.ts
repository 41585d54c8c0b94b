import { expect, type Locator } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';

const DAY_MS = 86_400_000;

/** Calls the API with the API key. */
export async function callApi<Result>(
  { api_base, api_key }: Pick<Addresses, 'api_base' | 'api_key'>,
  path: string,
): Promise<Result> {
  const response = await fetch(api_base + path, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}

export const openFilters = (table: Locator) =>
  table.getByRole('button', { name: 'Filters', expanded: false }).click();

/**
 * Filters a table to past days on which no other test changes data, and waits for its rows.
 *
 * @returns the same filter as a query of the API
 */
export async function filterToPastDonations(donations: Locator): Promise<string> {
  const page = donations.page();
  const requestPromise = page.waitForRequest((item) =>
    /\/donations\?.*created_to=/.test(item.url()),
  );
  await openFilters(donations);
  const day = new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10);
  await donations.getByLabel('To', { exact: true }).fill(day);
  const createdTo = new URL((await requestPromise).url()).searchParams.get('created_to')!;
  const newest = donations.locator('tr[data-id] time').first();
  await expect
    .poll(async () => (await newest.getAttribute('datetime'))! < createdTo, 'narrowed')
    .toBe(true);
  return createdTo;
}
