import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DONATION_SORTS, type Donation, type List } from '@connect-embed/contract';
import { startApi } from '../../../test-support/app/start-api.ts';
import { DEMO_ORGANIZATION_ID as ORGANIZATION } from '../../db/seed.ts';
import type { DonationFilters } from '../donations/donation-filters.ts';
import { DONATION_LIST } from '../donations/donations.ts';
import { DONATION_SEARCH, withSearch } from '../search/search.ts';
import { ListReader } from './list.ts';

const { deps, db } = await startApi();

/** Creates a list of donations that sorts at most `maxMatches` matches of a search. */
const openList = (maxMatches: number) =>
  new ListReader(deps, DONATION_LIST, { byTime: maxMatches, byOtherColumn: maxMatches });

const LISTS = {
  'sorts every match': openList(1_000_000),
  'sorts one match at most': openList(1),
};

type Query = Omit<Parameters<ListReader<DonationFilters>['readPage']>[1], 'limit' | 'cursor'>;

/** Reads all pages of a list and returns the ids. */
async function readIds(list: ReturnType<typeof openList>, query: Query): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list.readPage(ORGANIZATION, { ...query, limit: 7, cursor });
    ids.push(...(page as List<Donation>).data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return ids;
}

const donation = { organization_id: ORGANIZATION, amount_cents: 2500, currency: 'usd' };
await db
  .insertInto('donation')
  .values([
    ...Array.from({ length: 40 }, (_, index) => ({
      ...donation,
      ...{ id: `don_frequent_${index}`, source: 'api' as const },
      donor_name: index % 3 === 0 ? null : `${index % 2 === 0 ? 'Ada' : 'Zqfrequent'} Miller`,
      donor_email: index % 2 === 0 ? `zqfrequent.${index}@example.org` : null,
      recurring: index % 4 === 0,
      created_at: new Date(Date.UTC(2026, 1, 1 + (index % 5))),
    })),
    { ...donation, id: 'don_rare', donor_name: 'Zqrare Miller', source: 'api' },
  ])
  .execute();

const rows = await db
  .selectFrom('donation')
  .select(['id', 'created_at', 'amount_cents', 'donor_name_key', 'donor_email', 'recurring'])
  .where('organization_id', '=', ORGANIZATION)
  .execute();
type Row = (typeof rows)[number];

const hasText = (row: Row, text: string) =>
  `${row.donor_name_key} ${row.donor_email}`.includes(text);

/** Texts that are searched, each with the same condition as code. */
const SEARCHES: Record<string, (row: Row) => boolean> = {
  zqfrequent: (row) => hasText(row, 'zqfrequent'),
  'zqfre mil': (row) => hasText(row, 'zqfrequent') && hasText(row, 'miller'),
  zqrare: (row) => hasText(row, 'zqrare'),
  zqnone: () => false,
};

const DAY = ['2026-02-02T00:00:00Z', '2026-02-03T00:00:00Z'] as const;
/** Other filters of the same request, each with the same condition as code. */
const FILTERS: readonly (readonly [query: Query, matches: (row: Row) => boolean])[] = [
  [{}, () => true],
  [{ recurring: 'true' }, ({ recurring }) => recurring],
  [{ updated_since: DAY[1] }, ({ created_at }) => created_at >= new Date(DAY[1])],
  [
    { created_from: DAY[0], created_to: DAY[1] },
    ({ created_at }) => created_at >= new Date(DAY[0]) && created_at < new Date(DAY[1]),
  ],
];

const SORT_COLUMNS = {
  created_at: 'created_at',
  amount_cents: 'amount_cents',
  donor_name: 'donor_name_key',
} as const;

/** Returns the ids of the rows that match, in the order of the list. */
function expectedIds(matches: (row: Row) => boolean, sort: (typeof DONATION_SORTS)[number]) {
  const column = SORT_COLUMNS[sort.replace('-', '') as keyof typeof SORT_COLUMNS];
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = (left: string | number | Date, right: string | number | Date) =>
    left < right ? -1 : left > right ? 1 : 0;
  return rows
    .filter(matches)
    .sort(
      (left, right) => sign * (compare(left[column], right[column]) || compare(left.id, right.id)),
    )
    .map(({ id }) => id);
}

for (const [name, list] of Object.entries(LISTS)) {
  describe(`a list that ${name}`, () => {
    for (const sort of DONATION_SORTS) {
      test(`finds the same donations as a plain filter, by ${sort}`, async () => {
        for (const [q, isFound] of Object.entries(SEARCHES)) {
          for (const [filter, isListed] of FILTERS) {
            const search = withSearch({ q }, DONATION_SEARCH, { organizationId: ORGANIZATION });
            const ids = await readIds(list, { ...filter, ...search, sort } as Query);
            const expected = expectedIds((row) => isFound(row) && isListed(row), sort);
            assert.deepEqual(ids, expected, `${q} ${JSON.stringify(filter)}`);
          }
        }
      });
    }
  });
}

test('the searches find one donation, none and several pages', () => {
  const counts = Object.values(SEARCHES).map((isFound) => rows.filter(isFound).length);
  assert.deepEqual(counts, [33, 26, 1, 0]);
});
