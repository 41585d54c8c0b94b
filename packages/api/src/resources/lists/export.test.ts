import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ALL_SCOPES, MASKS, type ComponentSession, type Mask } from '@connect-embed/contract';
import { readError, startApi } from '../../../test-support/app/start-api.ts';
import { DEMO_PEOPLE } from '../../users/demo-people.ts';

const { pool, get, post, createKey, visitor } = await startApi();
const LISTS = ['donations', 'donors', 'payouts'] as const;
/** More rows than an export reads at once. */
const MANY = 2500;

async function open(components: readonly string[], masks?: readonly Mask[]) {
  const response = await post('/component-sessions', ALL_SCOPES, { components, masks });
  assert.equal(response.status, 201);
  return ((await response.json()) as ComponentSession).token;
}

/** The lines of an export without those of headings. No cell of these tests contains a line break. */
async function readCsv(path: string, credential: Parameters<typeof get>[1] = ALL_SCOPES) {
  const response = await get(path, credential);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.match(response.headers.get('content-type')!, /^text\/csv/);
  const [head = '', ...lines] = text.slice(0, -2).split('\r\n');
  return { response, head, lines };
}
const idsOf = (lines: readonly string[]) => lines.map((line) => line.split(',')[0]!);

/** The ids of all pages of a list. */
async function readIds(path: string) {
  const { token } = await createKey();
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await get(`${path}&limit=100${cursor && `&cursor=${cursor}`}`, token);
    const page = (await response.json()) as { data: { id: string }[]; next_cursor: string | null };
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

before(async () => {
  await pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, source, donor_name, donor_email,
       payment_method, card_brand, created_at)
     select 'don_many_' || n, 'org_harbor', n % 40 + 1, 'usd', 'api', 'Manifold ' || n % 90, 'm@example.org',
       'card', 'amex', '2019-05-05T12:00:00Z'::timestamptz + n % 700 * interval '1 second'
     from generate_series(1, $1::int) as n`,
    [MANY],
  );
  await pool.query(
    `insert into donor (id, organization_id, email, first_name, last_name, phone, city, state, postal_code, country,
       source) values ('dnr_export', 'org_harbor', 'ada@example.org', 'Adalovina', 'Lovelace', '+15550100999',
       'Zqcity', 'Zqstate', '98765-4321', 'Zqland', 'api')`,
  );
  await pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, source, contact_id, donor_name, donor_email,
       refund_status, refunded_amount_cents, dispute_status) values
     ('don_export1', 'org_harbor', 7777, 'usd', 'api', 'dnr_export', 'Adalovina Lovelace', 'ada@example.org', 'partial', 77, 'none'),
     ('don_export2', 'org_harbor', 8888, 'eur', 'api', 'dnr_export', 'Adalovina Lovelace', 'ada@example.org', 'none', 0, 'lost')`,
  );
  await pool.query(
    `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date, failure_message)
     values ('po_export', 'org_harbor', 500, 'usd', 'failed', '2026-03-01', 'The bank account was closed.')`,
  );
});

describe('the export of', () => {
  for (const list of LISTS) {
    test(`${list} is the dashboard’s`, async () => {
      const person = visitor();
      await person.openAs(DEMO_PEOPLE[0].email, '/dashboard/org_harbor');
      const file = await person.open(`/dashboard/org_harbor/${list}/export.csv`);
      const { response, head, lines } = await readCsv(`/${list}/export.csv`);
      assert.deepEqual([head, ...lines, ''], file.text.replace(/^\ufeff/, '').split('\r\n'));
      assert.ok(lines.length > 10);
      assert.equal(
        response.headers.get('content-disposition'),
        file.headers.get('content-disposition'),
      );
    });

    test(`${list} is refused to a session without the component`, async () => {
      const token = await open(LISTS.filter((other) => other !== list));
      assert.match(await readError(await get(`/${list}/export.csv`, token)), /^403 insufficient_/);
    });

    test(`${list} has the rows of the organization only`, async () => {
      const { token } = await createKey(ALL_SCOPES, 'org_lantern');
      const ids = idsOf((await readCsv(`/${list}/export.csv`, token)).lines);
      const own = idsOf((await readCsv(`/${list}/export.csv`)).lines);
      assert.ok(ids.length > 0);
      assert.deepEqual(
        ids.filter((id) => own.includes(id)),
        [],
      );
    });
  }

  for (const [list, query] of [
    ['donations', ''],
    ['donations', 'sort=created_at'],
    ['donations', 'sort=donor_name'],
    ['donations', 'sort=-amount_cents&q=manifold'],
    ['donations', 'sort=donor_name&q=manifold'],
    ['donations', 'q=manifold'],
    ['donations', 'recurring=true&refund_status=none'],
    ['donations', 'created_from=2019-05-05T12:00:03Z&created_to=2019-05-05T12:09:00%2B00:00'],
    ['donations', 'updated_since=2026-01-01T00:00:00Z'],
    ['donors', 'sort=name'],
    ['donors', 'q=lovelace'],
    ['payouts', 'sort=-arrival_date&status=paid'],
    ['payouts', 'q=5'],
  ] as const) {
    test(`${list}?${query} has the rows of the list in its order`, async () => {
      const { lines } = await readCsv(`/${list}/export.csv?${query}`);
      // A donor has a row for each currency.
      const ids = idsOf(lines).filter((id, index, all) => id !== all[index - 1]);
      assert.ok(ids.length > 0);
      assert.deepEqual(ids, await readIds(`/${list}?${query}`));
    });
  }

  test('donations has the words of the dashboard', async () => {
    const { lines } = await readCsv('/donations/export.csv?q=don_export2');
    assert.match(lines[0]!, /,Dispute lost,no,/);
    const { lines: cards } = await readCsv('/donations/export.csv?q=don_many_7');
    assert.match(cards[0]!, /,Card \(American Express\),/);
  });

  test('donations has what a donation in another currency is worth in that of the account', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, settlement_currency,
         settlement_amount_cents, settlement_fee_cents, settlement_net_cents, exchange_rate)
       values ('don_settled', 'org_harbor', 5000, 'jpy', 'api', 'usd', 3333, 127, 3206, 0.0066666)`,
    );
    const { head, lines } = await readCsv('/donations/export.csv?q=don_settled');
    assert.match(
      head,
      /,Settlement currency,Settlement amount,Settlement fee,Settlement net,Exchange rate,Livemode$/,
    );
    assert.match(lines[0]!, /,JPY,5000,.*,USD,33\.33,1\.27,32\.06,0\.0066666,yes$/);
  });

  test('payouts has the reason of a failure, but not for the viewers of a table', async () => {
    const { lines } = await readCsv('/payouts/export.csv?q=po_export');
    assert.match(lines[0]!, /,Failed,,,yes,,The bank account was closed\.,yes$/);
    const viewed = await readCsv('/payouts/export.csv?q=po_export', await open(LISTS));
    assert.doesNotMatch(viewed.head, /Failure/);
    assert.match(viewed.lines[0]!, /,Failed,,,yes,,yes$/);
  });
});

test('the totals of donors are those of the period in which they donated', async () => {
  await pool.query(
    `insert into donor (id, organization_id, first_name, source)
     values ('dnr_period', 'org_harbor', 'Perdita', 'api')`,
  );
  await pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, source, contact_id, created_at) values
     ('don_period1', 'org_harbor', 100, 'usd', 'api', 'dnr_period', '2020-01-01T00:00:00Z'),
     ('don_period2', 'org_harbor', 2000, 'usd', 'api', 'dnr_period', '2021-01-01T00:00:00Z'),
     ('don_period3', 'org_harbor', 30000, 'usd', 'api', 'dnr_period', '2022-01-01T00:00:00Z')`,
  );
  const start = 'donated_from=2021-01-01T00:00:00Z';
  const end = 'donated_to=2022-01-01T00:00:00Z';
  for (const [query, count, gross] of [
    ['', '3', '321.00'],
    [start, '2', '320.00'],
    [end, '2', '21.00'],
    [`${start}&${end}`, '1', '20.00'],
  ]) {
    const { head, lines } = await readCsv(`/donors/export.csv?q=perdita&${query}`);
    const cells = lines.map((line) => line.split(','));
    const columns = ['Donor ID', 'Donations', 'Gross'].map((name) => head.split(',').indexOf(name));
    const [totals, ...others] = cells.map((row) => columns.map((column) => row[column]));
    assert.deepEqual(totals, ['dnr_period', count, gross], query);
    assert.deepEqual(others, []);
  }
});

describe('a time zone', () => {
  test('is that of the organization by default, and is in the heading and the file name', async () => {
    const query =
      'created_from=2019-05-05T12:00:00Z&created_to=2019-05-06T04:00:00Z&sort=created_at';
    const { response, head, lines } = await readCsv(`/donations/export.csv?${query}`);
    assert.match(head, /,Created \(America\/New_York\),/);
    assert.match(lines[0]!, /,2019-05-05 08:00:00,/);
    assert.match(
      response.headers.get('content-disposition')!,
      /filename="donations-harbor-street-food-bank-from-2019-05-05-to-2019-05-05\.csv"/,
    );
    assert.match(response.headers.get('access-control-expose-headers')!, /Content-Disposition/);
  });

  test('can be chosen', async () => {
    const query = 'created_to=2019-05-06T04:00:00Z&sort=created_at&time_zone=Asia/Tokyo';
    const { response, head, lines } = await readCsv(`/donations/export.csv?${query}`);
    assert.match(head, /,Created \(Asia\/Tokyo\),/);
    assert.match(lines[0]!, /,2019-05-05 21:00:00,/);
    assert.match(response.headers.get('content-disposition')!, /-to-2019-05-06\.csv"/);
  });

  test('must be one', async () => {
    const response = await get('/donations/export.csv?time_zone=Mars/Olympus', ALL_SCOPES);
    assert.match(await readError(response), /^400 invalid_request time_zone /);
  });
});

describe('the export for a session with masks', () => {
  const SECRETS: Record<Mask, readonly string[]> = {
    names: ['Adalovina', 'Lovelace'],
    emails: ['ada@example.org'],
    phones: ['15550100999'],
    addresses: ['Zqcity', 'Zqstate', '98765-4321', 'Zqland'],
  };
  for (const mask of MASKS) {
    test(`lacks ${mask}, and nothing else`, async () => {
      const token = await open(LISTS, [mask]);
      const files = await Promise.all(LISTS.map((list) => readCsv(`/${list}/export.csv`, token)));
      const text = files.flatMap(({ lines }) => lines).join('\n');
      for (const [name, secrets] of Object.entries(SECRETS)) {
        for (const secret of secrets) assert.equal(text.includes(secret), name !== mask, secret);
      }
    });
  }

  test('lacks the totals of donors if names are masked, or donations are not readable', async () => {
    for (const token of [await open(LISTS, ['names']), await open(['donors'])]) {
      const { head, lines } = await readCsv('/donors/export.csv?q=dnr_export', token);
      assert.match(
        head,
        /,Country,Since \(America\/New_York\),Last change \(America\/New_York\),Source$/,
      );
      assert.equal(lines.length, 1);
    }
    const { head, lines } = await readCsv('/donors/export.csv?q=dnr_export', await open(LISTS));
    assert.match(head, /,Total after refunds and disputes,/);
    assert.equal(lines.length, 2);
  });

  test('is not sorted or searched by what they hide', async () => {
    const token = await open(LISTS, ['names']);
    const sorted = await get('/donations/export.csv?sort=donor_name', token);
    assert.match(await readError(sorted), /^400 invalid_request sort /);
    assert.deepEqual((await readCsv('/donations/export.csv?q=lovelace', token)).lines, []);
  });
});
