import { expect, type Locator } from 'playwright/test';
import type { Addresses } from '../../support/house.ts';

const DAY_MS = 86_400_000;

/** What the API itself answers to somebody who has the key. */
export async function askApi<Answer>(
  { api_base, api_key }: Pick<Addresses, 'api_base' | 'api_key'>,
  path: string,
): Promise<Answer> {
  const answer = await fetch(api_base + path, { headers: { authorization: `Bearer ${api_key}` } });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/**
 * Narrows a table to the days before which no journey changes anything, and waits for its rows.
 *
 * @returns the same in the API's words
 */
export async function narrowToLongAgo(donations: Locator): Promise<string> {
  const page = donations.page();
  const asked = page.waitForRequest((one) => /\/donations\?.*created_to=/.test(one.url()));
  const day = new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10);
  await donations.getByLabel('To', { exact: true }).fill(day);
  const createdTo = new URL((await asked).url()).searchParams.get('created_to')!;
  const newest = donations.locator('tr[data-id] time').first();
  await expect
    .poll(async () => (await newest.getAttribute('datetime'))! < createdTo, 'narrowed')
    .toBe(true);
  return createdTo;
}
