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

/** A day before which no other journey changes anything, as a date field takes it. */
export const longAgo = () => new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10);
