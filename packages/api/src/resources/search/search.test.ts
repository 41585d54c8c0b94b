import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  ALL_SCOPES,
  DONATION_SORTS,
  DonationFund,
  DONOR_SORTS,
  DonorSummary,
  PAYOUT_SORTS,
  PayoutSummary,
  type DonationSummary,
  type Donation,
  type Donor,
  type List,
  type Mask,
  type Payout,
} from '@connect-embed/contract';
import { readError, startApi } from '../../../test-support/app/start-api.ts';
import { readAmounts } from './amounts.ts';

const { db, get, post, createKey, logged } = await startApi();
/** Each test has its own key, and so its own rate limit. */
let token = '';
beforeEach(async () => {
  token = (await createKey()).token;
});
const { token: foreignToken } = await createKey(ALL_SCOPES, 'org_lantern');

/** Reads all pages of a list. */
async function listAll<Row>(path: string, bearer = token, limit = 100): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const pageQuery: string = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const response = await get(`${path}${pageQuery}`, bearer);
    assert.equal(response.status, 200, await response.clone().text());
    const page = (await response.json()) as List<Row>;
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const find = async (path: string, q: string, bearer = token) =>
  idsOf(await listAll<{ id: string }>(`${path}?q=${encodeURIComponent(q)}`, bearer));

async function openSession(masks?: Mask[], components = ['donations', 'donors', 'payouts']) {
  const response = await post('/component-sessions', ALL_SCOPES, { components, masks });
  assert.equal(response.status, 201);
  return ((await response.json()) as { token: string }).token;
}

const organization_id = 'org_harbor';
await db
  .insertInto('donor')
  .values([
    {
      id: 'dnr_search',
      organization_id,
      email: 'Zoë.Quill-Ångström@Mail.Example.org',
      first_name: 'Zoë',
      last_name: "Quill-Ångström O'Dowd",
      phone: '+1 (555) 010-4477',
      city: 'São Zedro',
      source: 'api',
    },
    { id: 'dnr_blank', organization_id, source: 'api' },
  ])
  .execute();
const source = 'api' as const;
const donation = { organization_id, amount_cents: 7777, currency: 'usd', source };
await db
  .insertInto('donation')
  .values([
    {
      ...donation,
      id: 'don_search',
      amount_cents: 817_147,
      donor_name: "Zoë Quill-Ångström O'Dowd",
      donor_email: 'Zoë.Quill-Ångström@Mail.Example.org',
      reference: 'K7QM-4XTZ',
      processor_payment_intent_id: 'pi_search1',
    },
    { ...donation, id: 'don_blank', amount_cents: 1 },
    { ...donation, id: 'don_whole', amount_cents: 6100 },
    { ...donation, id: 'don_cyrillic', donor_name: 'Юлия ИВАНОВА' },
    { ...donation, id: 'don_japanese', donor_name: '山田太郎' },
    { ...donation, id: 'don_euro', currency: 'eur', amount_cents: 604_050 },
    { ...donation, id: 'don_dollar', amount_cents: 604_050 },
    { ...donation, id: 'don_canada', currency: 'cad', amount_cents: 604_050 },
    { ...donation, id: 'don_yen', currency: 'jpy', amount_cents: 604_050 },
    { ...donation, id: 'don_dinar', currency: 'kwd', amount_cents: 604_050 },
    { ...donation, id: 'don_other', organization_id: 'org_lantern', donor_name: 'Zoë Quill' },
  ])
  .execute();
await db
  .insertInto('payout')
  .values({
    ...{ id: 'po_search', organization_id, amount_cents: 1_234_567, currency: 'usd' },
    ...{ status: 'paid', arrival_date: new Date('2026-03-01'), processor_payout_id: 'po_1Search' },
    ...{ description: 'Qualms of Zurich', statement_descriptor: 'ZQXHARBOR' },
  })
  .execute();

describe('GET /donations?q=', () => {
  for (const q of [
    'zoe',
    'ZOË quill',
    'angstrom zo',
    'Quill-Ångström',
    "o'dowd",
    'quill  zoë',
    'zoë.quill-ångström@mail.example.org',
    'ZOE.QUILL-ANGSTROM@MAIL',
    'mail.example zoe',
    'K7QM-4XTZ',
    'k7qm 4xtz',
    'k7qm4xt2',
    'k7qm-4',
    'don_search',
    ' pi_search1 ',
    '$8,171.47',
    '8.171,47 US$',
    'USD 8171.47',
    '8171.47',
  ]) {
    test(`finds a donation by ${q}`, async () => {
      assert.deepEqual(await find('/donations', q), ['don_search']);
    });
  }

  for (const [q, ids] of [
    ['€6,040.50', ['don_euro']],
    ['6.040,50 €', ['don_euro']],
    ['6040.50 eur', ['don_euro']],
    ['EUR6040.5', ['don_euro']],
    ['$6,040.50', ['don_dollar']],
    ['-$6,040.50', ['don_dollar']],
    ['6\u202f040,50\u00a0$US', ['don_dollar']],
    ['‏٦٬٠٤٠٫٥٠ US$', ['don_dollar']],
    ['CA$6,040.50', ['don_canada']],
    ['￥604,050', ['don_yen']],
    ['¥6040.50', []],
    ['KWD 604.05', ['don_dinar']],
    ['CHF 6040.50', []],
    ['£6040.50', []],
    ['XQZ 6040.50', []],
    ['6,040.50', ['don_euro', 'don_dollar', 'don_canada', 'don_yen', 'don_dinar']],
    ['6040.5', ['don_euro', 'don_dollar', 'don_canada', 'don_yen', 'don_dinar']],
    ['61', ['don_whole']],
    ['6100', []],
    ['6040', []],
  ] as const) {
    test(`finds amounts in the currency of ${q}`, async () => {
      assert.deepEqual((await find('/donations', q)).sort(), ids.toSorted());
    });
  }

  test('reads a sign as the currency of the organization', () => {
    const currenciesOf = (text: string, own: string) =>
      readAmounts(text, own).map(({ currency, cents }) => `${currency} ${cents}`);
    assert.deepEqual(currenciesOf('$50', 'cad'), ['cad 5000']);
    assert.deepEqual(currenciesOf('$50', 'eur'), ['usd 5000']);
    assert.deepEqual(currenciesOf('¥50', 'cny'), ['cny 5000']);
    assert.deepEqual(currenciesOf('¥50', 'usd'), ['jpy 50']);
    assert.deepEqual(currenciesOf('50 kr', 'nok'), ['nok 5000']);
    assert.ok(currenciesOf('50 kr', 'usd').includes('sek 5000'));
  });

  for (const [q, id] of [
    ['юлия иванова', 'don_cyrillic'],
    ['山田', 'don_japanese'],
  ] as const) {
    test(`finds a donation by ${q}`, async () => {
      assert.deepEqual(await find('/donations', q), [id]);
    });
  }

  for (const q of [
    // The beginning of the amount.
    '$81.71',
    '$817',
    '8171',
    '817147',
    'zoe nobody',
    'uill',
    'quill@mail.example.org',
    'don_searc',
    'DON_SEARCH',
    '!!!',
    "'",
    '\\',
    "' | 'zqx",
    ':*',
    '&|!()<->',
    '%',
    '\u{1f600}',
    'ÅÅÅÅ',
    `${'zqx '.repeat(24)}b`,
  ]) {
    test(`finds nothing by ${q}`, async () => {
      assert.deepEqual(await find('/donations', q), []);
    });
  }

  test('finds no donation of another organization', async () => {
    assert.deepEqual(await find('/donations', 'zoe', foreignToken), ['don_other']);
    assert.deepEqual(await find('/donations', 'don_search', foreignToken), []);
  });

  test('finds a changed donation by its new name', async () => {
    const rename = (donor_name: string) =>
      db.updateTable('donation').set({ donor_name }).where('id', '=', 'don_blank').execute();
    await rename('Xerxes Zqword');
    assert.deepEqual(await find('/donations', 'zqword'), ['don_blank']);
    await db
      .updateTable('donation')
      .set({ donor_name: null })
      .where('id', '=', 'don_blank')
      .execute();
    assert.deepEqual(await find('/donations', 'zqword'), []);
  });

  test('has the summary and series of the listed donations', async () => {
    const allRows = await listAll<Donation>('/donations');
    const word = allRows.find(({ donor_name }) => donor_name)!.donor_name!.split(' ')[0]!;
    const rows = await listAll<Donation>(`/donations?q=${encodeURIComponent(word)}`, token, 7);
    assert.ok(rows.length > 0);
    const { data } = (await (
      await get(`/donations/summary?q=${encodeURIComponent(word)}`, token)
    ).json()) as DonationSummary;
    assert.equal(data[0]!.count, rows.length);
    const sum = rows.reduce((total, { amount_cents }) => total + amount_cents, 0);
    assert.equal(data[0]!.gross_cents, sum);
    const series = (await (
      await get(`/donations/series?interval=year&q=${encodeURIComponent(word)}`, token)
    ).json()) as { data: { sums: { count: number }[] }[] };
    const counted = series.data.flatMap(({ sums }) => sums.map(({ count }) => count));
    assert.equal(
      counted.reduce((total, count) => total + count, 0),
      rows.length,
    );
  });

  test('rejects a search that is too long, and never repeats its text in the message or the log', async () => {
    const secret = `zqsecret${'x'.repeat(100)}`;
    const error = await readError(await get(`/donations?q=${secret}`, token));
    assert.match(error, /^400 invalid_request q must be at most 100 characters/);
    assert.equal((await get('/donations?q=zqsecret', token)).status, 200);
    assert.equal((await get('/donations?q=zqsecret&sort=no', token)).status, 400);
    assert.doesNotMatch(logged.join(''), /zqsecret/);
    assert.doesNotMatch(error, /zqsecret/);
  });
});

describe('GET /donors?q=', () => {
  for (const q of [
    'zoe odowd'.replace('odowd', 'dowd'),
    'sao zedro',
    '(555) 010-4477',
    '5550104477',
    '010-4477',
    '4477',
    'zoë.quill-ångström@mail.example.org',
    'dnr_search',
  ]) {
    test(`finds a donor by ${q}`, async () => {
      assert.deepEqual(await find('/donors', q), ['dnr_search']);
    });
  }

  test('has the count of the listed donors', async () => {
    const { count } = DonorSummary.strict().parse(
      await (await get('/donors/summary?q=zoe', token)).json(),
    );
    assert.equal(count, (await find('/donors', 'zoe')).length);
  });
});

describe('GET /payouts?q=', () => {
  for (const q of [
    ...['zurich qualms', 'zqxh', '12,345.67', '12345.67', 'po_search', 'po_1Search'],
    ...['$12,345.67', 'USD 12345.67'],
  ]) {
    test(`finds a payout by ${q}`, async () => {
      assert.deepEqual(await find('/payouts', q), ['po_search']);
    });
  }

  test('finds no payout in another currency', async () => {
    assert.deepEqual(await find('/payouts', '€12,345.67'), []);
  });

  for (const [query, counts] of [
    ['status=paid&amount_from_cents=5000&amount_to_cents=2000000', () => true],
    ['status=failed', () => true],
    // The money of these is in a later payout, too.
    ['', ({ status }: Payout) => status !== 'failed' && status !== 'canceled'],
  ] as const)
    test(`has the summary of the listed payouts: ${query || 'all'}`, async () => {
      const rows = await listAll<Payout>(`/payouts?${query}`);
      const { data } = PayoutSummary.strict().parse(
        await (await get(`/payouts/summary?${query}`, token)).json(),
      );
      const sumOf = (list: readonly Payout[]) => ({
        count: list.length,
        amount_cents: list.reduce((total, row) => total + row.amount_cents, 0),
      });
      const statuses = [...new Set(rows.map(({ status }) => status))].sort();
      const by_status = statuses.map((status) => ({
        status,
        ...sumOf(rows.filter((row) => row.status === status)),
      }));
      assert.ok(statuses.length > 0);
      assert.deepEqual(data, [{ currency: 'usd', ...sumOf(rows.filter(counts)), by_status }]);
    });
});

/** Sorts like the database. */
const compare = (first: string | number, second: string | number) =>
  first < second ? -1 : first > second ? 1 : 0;
const keyOfName = (name: string | null) =>
  (name ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim() || '\u{10ffff}';

const SORTED = {
  donations: {
    sorts: DONATION_SORTS,
    keyOf: (row: Donation, name: string) =>
      name === 'donor_name'
        ? keyOfName(row.donor_name)
        : (row[name as 'created_at'] satisfies string | number),
  },
  donors: {
    sorts: DONOR_SORTS,
    keyOf: (row: Donor, name: string) =>
      name === 'name'
        ? keyOfName(`${row.first_name ?? ''} ${row.last_name ?? ''}`)
        : row[name as 'created_at'],
  },
  payouts: {
    sorts: PAYOUT_SORTS,
    keyOf: (row: Payout, name: string) => row[name as 'amount_cents'],
  },
} as const;

for (const [list, { sorts, keyOf }] of Object.entries(SORTED)) {
  describe(`GET /${list}?sort=`, () => {
    for (const sort of sorts) {
      test(`returns every row once, by ${sort}, page by page`, async () => {
        const rows = await listAll<{ id: string }>(`/${list}?sort=${sort}`, token, 37);
        const name = sort.replace('-', '');
        const sign = sort.startsWith('-') ? -1 : 1;
        const key = keyOf as (row: unknown, name: string) => string | number;
        const sorted = rows.toSorted(
          (left, right) =>
            sign * (compare(key(left, name), key(right, name)) || compare(left.id, right.id)),
        );
        assert.deepEqual(idsOf(rows), idsOf(sorted));
        const allRows = await listAll<{ id: string }>(`/${list}`);
        assert.deepEqual(idsOf(rows).sort(), idsOf(allRows).sort());
      });
    }

    test('accepts a cursor only with the same order, search and organization', async () => {
      const [, , sort] = sorts;
      const first = `/${list}?limit=1&sort=${sort}`;
      const { next_cursor } = (await (await get(first, token)).json()) as List<unknown>;
      assert.ok(next_cursor);
      const cursor = `&cursor=${next_cursor}`;
      assert.equal((await get(first + cursor, token)).status, 200);
      for (const [path, bearer] of [
        [`/${list}?limit=1&sort=${sorts.at(-1)}`, token],
        [`/${list}?limit=1`, token],
        [`${first}&q=a`, token],
        [first, foreignToken],
      ] as const) {
        const error = await readError(await get(path + cursor, bearer));
        assert.match(error, /^400 invalid_request cursor /, path);
      }
    });
  });
}

test('a sorted list applies its filters', async () => {
  const rows = await listAll<Donation>(
    '/donations?sort=-amount_cents&recurring=true&updated_since=2026-01-01T00:00:00Z',
    token,
    9,
  );
  assert.ok(rows.length > 9);
  assert.ok(rows.every(({ recurring }) => recurring));
});

describe('a session with masks', () => {
  for (const [mask, path, hidden, visibleText] of [
    ['names', '/donations', ['zoe', 'quill', "o'dowd"], ['K7QM-4XTZ', 'don_search']],
    [
      'emails',
      '/donations',
      ['mail.example', 'zoe.quill-angstrom@mail.example.org'],
      ['quill', 'k7qm4xtz'],
    ],
    ['phones', '/donors', ['4477', '5550104477'], ['quill', 'zedro']],
    ['addresses', '/donors', ['zedro'], ['quill', '4477']],
  ] as const) {
    test(`finds nothing by the fields of ${mask}`, async () => {
      const masks: Mask[] = mask === 'names' ? ['names', 'emails'] : [mask];
      const masked = await openSession(masks);
      const open = await openSession();
      const id = path === '/donors' ? 'dnr_search' : 'don_search';
      for (const q of hidden) {
        assert.deepEqual(await find(path, q, masked), [], q);
        const summary = await get(`${path}/summary?q=${encodeURIComponent(q)}`, masked);
        const { data, count } = (await summary.json()) as { data?: unknown[]; count?: number };
        assert.equal(data?.length ?? count, 0, q);
      }
      for (const q of visibleText) assert.deepEqual(await find(path, q, masked), [id], q);
      if (mask !== 'emails') {
        for (const q of hidden) assert.ok((await find(path, q, open)).includes(id), q);
      }
    });
  }

  test('with every mask finds by reference and id only', async () => {
    const masked = await openSession(['names', 'emails', 'phones', 'addresses']);
    for (const q of ['zoe', 'quill mail', 'zoe.quill-angstrom@mail.example.org', '!']) {
      assert.deepEqual(await find('/donations', q, masked), [], q);
      assert.deepEqual(await find('/donors', q, masked), [], q);
    }
    assert.deepEqual(await find('/donations', 'k7qm-4xtz', masked), ['don_search']);
    assert.deepEqual(await find('/payouts', 'zurich', masked), ['po_search']);
  });

  test('cannot be sorted by a masked name', async () => {
    const masked = await openSession(['names']);
    for (const [path, sort] of [
      ['/donations', 'donor_name'],
      ['/donations', '-donor_name'],
      ['/donors', 'name'],
    ] as const) {
      const error = await readError(await get(`${path}?sort=${sort}`, masked));
      assert.match(error, /^400 invalid_request sort is not available to a session with masks/);
    }
    assert.equal((await get('/donations?sort=-amount_cents', masked)).status, 200);
    const phones = await openSession(['phones']);
    assert.equal((await get('/donations?sort=donor_name', phones)).status, 200);
  });
});

describe('GET /donations/funds', () => {
  test('lists the funds of donations for a session that may read donations', async () => {
    const allRows = await listAll<Donation>('/donations');
    const expected = new Set(allRows.flatMap(({ fund_id }) => fund_id ?? []));
    const funds = await listAll<unknown>(
      '/donations/funds',
      await openSession(undefined, ['donations']),
    );
    const parsed = funds.map((fund) => DonationFund.strict().parse(fund));
    assert.deepEqual(new Set(parsed.map(({ id }) => id)), expected);
    assert.equal((await get('/donations/funds', await openSession(['names']))).status, 200);
    const other = await get('/donations/funds', await openSession(undefined, ['donors']));
    assert.match(await readError(other), /^403 insufficient_scope /);
  });
});
