import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  ALL_SCOPES,
  Campaign,
  Donation,
  Donor,
  Fund,
  FundraisingEvent,
  listOf,
  Organization,
  Payout,
  Registration,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { readError, startApi } from '../../../test-support/app/start-api.ts';

const { app, db, get, createKey } = await startApi();

const LISTS = [
  { name: 'donations', resource: Donation.strict(), time: 'created_at', byId: true },
  { name: 'donors', resource: Donor.strict(), time: 'created_at', byId: true },
  { name: 'payouts', resource: Payout.strict(), time: 'created', byId: true },
  { name: 'events', resource: FundraisingEvent.strict(), time: 'created_at', byId: true },
  {
    name: 'events/event_gala/registrations',
    resource: Registration.strict(),
    time: 'created_at',
    byId: false,
  },
  { name: 'campaigns', resource: Campaign.strict(), time: 'created_at', byId: false },
  { name: 'funds', resource: Fund.strict(), time: 'created_at', byId: false },
] as const;

type Row = { id: string } & Record<string, unknown>;
interface Page {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

/** For example `events/…/registrations` → `registration`. */
const tableOf = (name: string) => name.split('/').at(-1)!.slice(0, -1) as 'donation';

async function read(path: string, token: string): Promise<Page> {
  const response = await get(path, token);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Page;
}

/** Each test has its own key: a hundred pages would exceed the rate limit of one. */
const newToken = async (organizationId?: string) =>
  (await createKey(ALL_SCOPES, organizationId)).token;

async function readAll(list: string, token: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  do {
    const page: Page = await read(`/${list}?limit=${limit}${cursor}`, token);
    assert.ok(page.data.length <= limit);
    rows.push(...page.data);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    assert.equal(page.has_more, cursor !== '');
  } while (cursor);
  return rows;
}

for (const { name, resource, time, byId } of LISTS) {
  describe(`GET /${name}`, () => {
    test('responds with the resources of the contract, and no other fields', async () => {
      const page = await read(`/${name}?limit=100`, await newToken());
      assert.ok(page.data.length > 1);
      listOf(resource).strict().parse(page);
    });

    test('returns every row once, newest first', async () => {
      const token = await newToken();
      const rows = await readAll(name, token, 17);
      let select = db
        .selectFrom(tableOf(name))
        .where('organization_id', '=', 'org_harbor')
        .select(sql<number>`count(*)`.as('count'));
      if (name.includes('/')) select = select.where(sql<boolean>`event_id = 'event_gala'`);
      const { count } = await select.executeTakeFirstOrThrow();
      assert.equal(rows.length, count);
      assert.equal(new Set(rows.map(({ id }) => id)).size, count);
      const keys = rows.map((row) => `${String(row[time])} ${row.id}`);
      assert.deepEqual(keys, keys.toSorted().reverse());
    });

    test('has 25 rows on a page by default, and 1 to 100 with limit', async () => {
      const token = await newToken();
      const all = (await readAll(name, token, 100)).length;
      for (const [query, size] of [
        ['', 25],
        ['?limit=1', 1],
        ['?limit=100', 100],
      ] as const) {
        assert.equal((await read(`/${name}${query}`, token)).data.length, Math.min(size, all));
      }
    });

    test('starts at updated_since, inclusive', async () => {
      const token = await newToken();
      const rows = await readAll(name, token, 100);
      const since = String(rows[1]?.[time]);
      const newer = await read(`/${name}?updated_since=${since}`, token);
      assert.deepEqual(
        newer.data.map(({ id }) => id),
        rows.slice(0, newer.data.length).map(({ id }) => id),
      );
      assert.ok(newer.data.length >= 2);
      assert.equal(String(newer.data.at(-1)?.[time]), since);
      const page = await read(`/${name}?updated_since=2999-01-01T00:00:00%2B02:00`, token);
      assert.deepEqual(page, { data: [], has_more: false, next_cursor: null });
    });

    if (byId) {
      test('returns the same resource by id as in the list', async () => {
        const token = await newToken();
        const { data } = await read(`/${name}?limit=3`, token);
        for (const row of data) {
          assert.deepEqual(await (await get(`/${name}/${row.id}`, token)).json(), row);
        }
      });
    }
  });
}

describe('a cursor', () => {
  const cursorOf = async (path: string, token: string) => {
    const { next_cursor } = await read(path, token);
    assert.ok(next_cursor);
    return next_cursor;
  };

  test('is valid only for its own list, organization and filters', async () => {
    const [token, other] = [await newToken(), await newToken('org_lantern')];
    const cursor = await cursorOf('/donations?limit=2', token);
    const since = 'updated_since=2020-01-01T00:00:00Z';
    const filtered = await cursorOf(`/donations?limit=2&${since}`, token);
    for (const [path, otherToken] of [
      [`/donors?cursor=${cursor}`, token],
      [`/donations?cursor=${cursor}`, other],
      [`/donations?${since}&cursor=${cursor}`, token],
      [`/donations?cursor=${filtered}`, token],
    ] as const) {
      assert.match(
        await readError(await get(path, otherToken)),
        /^400 invalid_request cursor /,
        path,
      );
    }
    await read(`/donations?${since}&cursor=${filtered}`, token);
    await read(`/donations?updated_since=2020-01-01T01:00:00%2B01:00&cursor=${filtered}`, token);
    await read(`/donations?limit=7&cursor=${cursor}`, await newToken());
  });

  test('is rejected if any character of it was changed', async () => {
    const cursor = await cursorOf('/donations?limit=2', await newToken());
    let token = await newToken();
    for (let at = 0; at < cursor.length; at += 1) {
      if (at % 100 === 99) token = await newToken();
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      const response = await get(`/donations?cursor=${encodeURIComponent(changed)}`, token);
      assert.match(await readError(response), /^400 invalid_request cursor /, String(at));
    }
  });

  test('reveals nothing about its row', async () => {
    const cursor = await cursorOf('/donations?limit=2', await newToken());
    const decodedParts = cursor.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.doesNotMatch(decodedParts.join(), /org_|don_|20\d\d/);
  });

  test('neither skips nor repeats rows of the same millisecond', async () => {
    const created_at = new Date('2026-05-05T05:05:05.123Z');
    const ids = Array.from({ length: 30 }, (_, index) => `po_same${index}`);
    const payout = {
      organization_id: 'org_lantern',
      amount_cents: 1,
      currency: 'usd',
      status: 'paid' as const,
      arrival_date: created_at,
      created_at,
    };
    await db
      .insertInto('payout')
      .values(ids.map((id) => ({ ...payout, id })))
      .execute();
    const rows = await readAll('payouts', await newToken('org_lantern'), 7);
    const sameTimeIds = rows.map(({ id }) => id).filter((id) => id.startsWith('po_same'));
    assert.deepEqual(sameTimeIds, ids.toSorted().reverse());
  });

  test('shows every row that existed at the start once, while rows are added before and after it', async () => {
    const token = await newToken('org_lantern');
    const idsBefore = (await readAll('donors', token, 100)).map(({ id }) => id);
    const insertionTimes = [-1, -400 * 86_400_000, 0].map(
      (offset) => new Date(Date.now() + offset),
    );
    const readIds: string[] = [];
    let cursor = '';
    for (let page = 0; cursor !== 'end'; page += 1) {
      const rows = insertionTimes.map((created_at, index) => ({
        id: `dnr_arrival_${page}_${index}`,
        organization_id: 'org_lantern',
        source: 'api',
        created_at,
      }));
      const path = `/donors?limit=4${cursor}`;
      const [response] = await Promise.all([
        read(path, token),
        db.insertInto('donor').values(rows).execute(),
      ]);
      readIds.push(...response.data.map(({ id }) => id));
      cursor = response.next_cursor === null ? 'end' : `&cursor=${response.next_cursor}`;
    }
    assert.equal(new Set(readIds).size, readIds.length);
    assert.deepEqual(
      readIds.filter((id) => idsBefore.includes(id)),
      idsBefore,
    );
  });

  test('shows no row twice while rows are added', async () => {
    const token = await newToken('org_lantern');
    const first = await read('/donors?limit=3', token);
    await db
      .insertInto('donor')
      .values({ id: 'dnr_new', organization_id: 'org_lantern', source: 'api' })
      .execute();
    const second = await read(`/donors?limit=3&cursor=${first.next_cursor}`, token);
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    assert.equal(new Set(ids).size, 6);
    assert.ok(!ids.includes('dnr_new'));
  });
});

describe('every list', () => {
  for (const { name } of LISTS) {
    test(`reads a page in the middle of /${name} from the index, without sorting`, async () => {
      const table = tableOf(name);
      const owner = name.includes('/') ? 'event_id' : 'organization_id';
      const plan = await db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        await sql`set local enable_bitmapscan = off`.execute(tx);
        return await sql<{ 'QUERY PLAN': string }>`
          explain (costs off) select * from ${sql.table(table)}
          where ${sql.ref(owner)} = 'org_harbor' and (created_at, id) < (now(), 'x')
          order by created_at desc, id desc limit 25`.execute(tx);
      });
      const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(text, new RegExp(`Index Scan Backward using ${table}_list`));
      assert.match(text, /Index Cond: .*ROW\(created_at, \(?id/);
      assert.doesNotMatch(text, /Sort/);
    });
  }
});

test('GET /organization responds with the fields of the contract', async () => {
  const response = await get('/organization', await newToken());
  assert.equal(Organization.strict().parse(await response.json()).name, 'Harbor Street Food Bank');
});

test('a page is compressed for a client that accepts Brotli or gzip', async () => {
  const token = await newToken();
  const read = async (encodings: string) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encodings };
    const response = await app.request('/api/v1/donations?limit=25', { headers });
    const body = Buffer.from(await response.arrayBuffer());
    return { encoding: response.headers.get('content-encoding'), body };
  };
  const plain = await read('br;q=0, gzip;q=0');
  assert.equal(plain.encoding, null);
  const parse = (body: Buffer) => (JSON.parse(body.toString()) as Page).data;
  const gzip = await read('gzip, deflate');
  assert.equal(gzip.encoding, 'gzip');
  assert.deepEqual(parse(gunzipSync(gzip.body)), parse(plain.body));
  assert.ok(gzip.body.length < plain.body.length / 3);
  const brotli = await read('gzip, deflate, br');
  assert.equal(brotli.encoding, 'br');
  assert.deepEqual(parse(brotliDecompressSync(brotli.body)), parse(plain.body));
  assert.ok(brotli.body.length < gzip.body.length);
});
