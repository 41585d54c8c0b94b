import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ALL_SCOPES,
  type Component,
  type Donation,
  type Donor,
  type List,
  type Mask,
  type Payout,
} from '@connect-embed/contract';
import { readError, startApi } from '../../test-support/app/start-api.ts';

const { get, post, createKey } = await startApi();
const { token } = await createKey();

async function listAll<Resource>(path: string, query = ''): Promise<Resource[]> {
  const found: Resource[] = [];
  let cursor: string | null = null;
  do {
    const cursorQuery: string = cursor ? `&cursor=${cursor}` : '';
    const response = await get(`${path}?limit=100&${query}${cursorQuery}`, token);
    const page = (await response.json()) as List<Resource>;
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

const countOf = async (path: string, query: string) => {
  const response = await get(`${path}/summary?${query}`, token);
  const { count, data } = (await response.json()) as { count?: number; data: { count: number }[] };
  return count ?? data.reduce((sum, part) => sum + part.count, 0);
};

const ids = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);

const donations = await listAll<Donation>('/donations');
const donors = await listAll<Donor>('/donors');
const payouts = await listAll<Payout>('/payouts');

describe('GET /donors by their donations', () => {
  const from = donations[Math.floor(donations.length / 2)]!.created_at;
  const to = donations[Math.floor(donations.length / 3)]!.created_at;
  const CASES: [string, (donation: Donation) => boolean][] = [
    [`donated_from=${from}`, ({ created_at }) => created_at >= from],
    [`donated_to=${from}`, ({ created_at }) => created_at < from],
    [
      `donated_from=${from}&donated_to=${to}`,
      ({ created_at }) => created_at >= from && created_at < to,
    ],
    ['recurring=true', ({ recurring }) => recurring],
    ['recurring=false', ({ recurring }) => !recurring],
    [
      `recurring=true&donated_from=${from}&donated_to=${to}`,
      ({ recurring, created_at }) => recurring && created_at >= from && created_at < to,
    ],
  ];
  for (const [query, matches] of CASES) {
    test(`lists and counts exactly the donors with a donation that matches ${query}`, async () => {
      const matching = new Set(donations.filter(matches).map(({ contact_id }) => contact_id));
      const expected = donors.filter(({ id }) => matching.has(id));
      assert.ok(expected.length > 0 && expected.length < donors.length, 'the demo data has both');
      assert.deepEqual(ids(await listAll('/donors', query)), ids(expected));
      assert.equal(await countOf('/donors', query), expected.length);
    });
  }

  test('needs permission to read donations, and names', async () => {
    const open = async (components: Component[], masks: Mask[] = []) => {
      const response = await post('/component-sessions', ALL_SCOPES, { components, masks });
      return ((await response.json()) as { token: string }).token;
    };
    for (const path of ['/donors', '/donors/summary', '/donors/export.csv']) {
      for (const query of ['recurring=true', `donated_from=${from}`, `donated_to=${from}`]) {
        const read = async (session: string) => await get(`${path}?${query}`, session);
        assert.equal((await read(await open(['donors', 'donations']))).status, 200);
        assert.match(
          await readError(await read(await open(['donors']))),
          /^403 insufficient_scope /,
        );
        const masked = await read(await open(['donors', 'donations'], ['names']));
        assert.match(await readError(masked), /^400 invalid_request (?:recurring|donated_\w+) /);
      }
    }
  });

  for (const query of ['donated_from=yesterday', 'donated_to=2026-13-01', 'recurring=yes']) {
    test(`rejects ${query}, and names it`, async () => {
      const error = await readError(await get(`/donors?${query}`, token));
      assert.match(error, new RegExp(`^400 invalid_request ${query.split('=')[0]} `));
    });
  }
});

describe('GET /payouts by arrival', () => {
  const days = payouts.map(({ arrival_date }) => arrival_date).sort();
  const [from, to] = [days[1]!, days[days.length - 1]!];
  const CASES: [string, (payout: Payout) => boolean][] = [
    [`arrival_from=${from}`, ({ arrival_date }) => arrival_date >= from],
    [`arrival_to=${to}`, ({ arrival_date }) => arrival_date < to],
    [
      `arrival_from=${from}&arrival_to=${to}&status=paid`,
      ({ arrival_date, status }) => arrival_date >= from && arrival_date < to && status === 'paid',
    ],
  ];
  for (const [query, matches] of CASES) {
    test(`lists and counts exactly the payouts that match ${query}`, async () => {
      const expected = payouts.filter(matches);
      assert.ok(expected.length > 0 && expected.length < payouts.length, 'the demo data has both');
      assert.deepEqual(ids(await listAll('/payouts', query)), ids(expected));
    });
  }
});
