import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import type { PageResponse } from '@connect-embed/api/test-support/browser/visitor';
import {
  attributesOf,
  definitionsOf,
  readRows,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startApi();
const { visitor } = api;
const [OWNER, ADMIN] = DEMO_PEOPLE.map(({ email }) => email) as [string, string];
const HOME = '/dashboard/org_harbor';
const DONATIONS = `${HOME}/donations`;

beforeEach(() =>
  api.pool.query(`update organization set time_zone = 'America/New_York' where id = 'org_harbor'`),
);

const open = async (path: string, email = OWNER) => {
  const person = visitor();
  await person.openAs(email, HOME);
  return { person, page: await person.open(path) };
};

const rowsOf = async <Row>(sql: string, values: unknown[] = []) =>
  (await api.pool.query<Row & object>(sql, values)).rows as Row[];

/**
 * Returns the totals above a list by name. With several currencies, the totals of the first
 * currency are returned.
 */
const totalsIn = ({ document }: PageResponse) => new Map(definitionsOf(document).reverse());

const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'usd' });

/** Totals of the donations that match an SQL condition, read directly from the table. */
async function sumsOf(condition: string) {
  const [sums] = await rowsOf<Record<'count' | 'gross' | 'refunded' | 'disputed' | 'fee', string>>(
    `select count(*), coalesce(sum(amount_cents), 0) as gross,
       coalesce(sum(refunded_amount_cents), 0) as refunded,
       coalesce(sum(disputed_amount_cents), 0) as disputed,
       coalesce(sum(fee_cents), 0) as fee
     from donation where organization_id = 'org_harbor' and currency = 'usd' and ${condition}`,
  );
  return {
    count: Number(sums!.count),
    gross: Number(sums!.gross),
    refunded: Number(sums!.refunded),
    disputed: Number(sums!.disputed),
    fee: Number(sums!.fee),
  };
}

describe('the next page of donations', () => {
  test('has the same dates when it is opened the next day', async () => {
    const { page, person } = await open(`${DONATIONS}?period=last_year`);
    const [href = ''] = attributesOf(page.document, 'a[href*="cursor="]', 'href');
    const next = new URL(href.replaceAll('&amp;', '&'), api.url);
    const thisYear = new Date().toLocaleDateString('en-US', {
      year: 'numeric',
      timeZone: 'America/New_York',
    });
    const year = Number(thisYear) - 1;
    assert.deepEqual(
      ['period', 'from', 'to'].map((name) => next.searchParams.get(name)),
      [null, `${year}-01-01`, `${year}-12-31`],
    );
    assert.equal((await person.open(next.href)).status, 200);
  });
});

describe('the list of donations', () => {
  for (const [query, condition] of [
    ['', 'true'],
    ['status=refunded', `refund_status = 'full' and dispute_status = 'none'`],
    ['status=paid', `refund_status = 'none' and dispute_status = 'none'`],
    ['frequency=recurring', 'recurring'],
    ['fund=fund_meals', `fund_id = 'fund_meals'`],
    [
      'period=last_month',
      `created_at at time zone 'America/New_York' >= date_trunc('month', now() at time zone 'America/New_York') - interval '1 month'
       and created_at at time zone 'America/New_York' < date_trunc('month', now() at time zone 'America/New_York')`,
    ],
    [
      'period=last_year&frequency=one_time',
      `not recurring and created_at at time zone 'America/New_York' >= date_trunc('year', now() at time zone 'America/New_York') - interval '1 year'
       and created_at at time zone 'America/New_York' < date_trunc('year', now() at time zone 'America/New_York')`,
    ],
    ['min=50&max=100.00', 'amount_cents between 5000 and 10000'],
    ['method=card', `payment_method = 'card'`],
  ] as const) {
    test(`shows totals of all matching donations: ${query || 'no filter'}`, async () => {
      const { page } = await open(`${DONATIONS}?${query}`);
      const { count, gross, refunded, disputed, fee } = await sumsOf(condition);
      assert.ok(count > 0, 'the seeded data has some');
      const totals = totalsIn(page);
      assert.equal(totals.get('Donations'), count.toLocaleString('en-US'));
      assert.equal(totals.get('Gross'), dollars(gross));
      assert.equal(totals.get('Refunded'), dollars(refunded));
      assert.equal(totals.get('Disputed'), disputed ? dollars(disputed) : undefined);
      assert.equal(totals.get('Net'), dollars(gross - refunded - disputed - fee));
    });
  }

  test('reads custom dates in the time zone of the organization, also across a daylight saving change', async () => {
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, created_at) values
       ('don_late', 'org_harbor', 100, 'usd', 'api', '2020-03-09T03:59:59Z'),
       ('don_next', 'org_harbor', 200, 'usd', 'api', '2020-03-09T04:00:00Z')`,
    );
    const { person, page } = await open(`${DONATIONS}?from=2020-03-08&to=2020-03-08`);
    assert.match(page.text, /don_late/);
    assert.doesNotMatch(page.text, /don_next/);
    assert.equal(totalsIn(page).get('Gross'), '$1.00');
    const next = await person.open(`${DONATIONS}?from=2020-03-09&to=2020-03-09`);
    assert.equal(totalsIn(next).get('Gross'), '$2.00');
  });

  test('pagination of a filtered list returns every matching row once', async () => {
    const { person, page } = await open(`${DONATIONS}?frequency=recurring`);
    const readIds: string[] = [];
    for (let at = page; ;) {
      readIds.push(...[...at.text.matchAll(/donations\/(don_\w+)"/g)].map(([, id]) => id!));
      const next = at.document.querySelector('a[rel="next"]')?.getAttribute('href');
      if (!next) break;
      at = await person.open(next.replaceAll('&amp;', '&'));
    }
    const [{ count }] = (await rowsOf<{ count: string }>(
      `select count(*) from donation where organization_id = 'org_harbor' and recurring`,
    )) as [{ count: string }];
    assert.equal(readIds.length, Number(count));
    assert.equal(new Set(readIds).size, readIds.length);
  });

  test('shows the error of an invalid filter and keeps the other filters', async () => {
    const { page } = await open(`${DONATIONS}?from=2026-02-31&min=many&status=refunded`);
    assert.equal(page.status, 400);
    assert.match(page.text, /Enter a date such as/);
    assert.match(page.text, /Enter an amount such as/);
    assert.ok(page.document.querySelector('option[value="refunded"][selected]'));
  });

  test('returns no 5xx for an arbitrary query string', async () => {
    const { person } = await open(DONATIONS);
    for (const query of [
      'period=%00',
      'search=%F0%9F%92%A9',
      'fund=%27',
      'to=9999-12-31',
      'min=1e9',
      'cursor=x',
      'payout=x y',
      'method=constructor',
    ]) {
      const page = await person.open(`${DONATIONS}?${query}`);
      assert.ok(page.status < 500, `${query}: ${page.status}`);
    }
  });
});

describe('a search', () => {
  test('finds by name, email and reference, and writes none of them to a URL or the log', async () => {
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name, donor_email)
       values ('don_sought', 'org_harbor', 4200, 'usd', 'api', 'Zoë Sought', 'zoe.sought@example.org')`,
    );
    const [{ reference }] = (await rowsOf<{ reference: string }>(
      `select reference from donation where id = 'don_sought'`,
    )) as [{ reference: string }];
    const { person, page } = await open(DONATIONS);
    for (const q of ['zoe.sought@example.org', 'Zoe Sought', reference, reference.toLowerCase()]) {
      const found = await person.send(page, `${DONATIONS}/search`, { q, status: 'paid' });
      assert.equal(found.status, 200);
      assert.match(found.text, /don_sought/, q);
      assert.equal(totalsIn(found).get('Donations'), '1');
      assert.equal(found.url.searchParams.get('status'), 'paid');
      assert.doesNotMatch(decodeURIComponent(found.url.href), /sought|example\.org/i);
    }
    assert.doesNotMatch(api.logged.join(''), /sought/i);
  });

  test('is valid only for its own list, and not after tampering', async () => {
    const { person, page } = await open(DONATIONS);
    const found = await person.send(page, `${DONATIONS}/search`, { q: 'Nobody At All' });
    assert.match(found.text, /No donations match/);
    const search = found.url.searchParams.get('search')!;
    const other = await person.open(`/dashboard/org_lantern/donations?search=${search}`);
    assert.match(other.text, /This search has expired/);
    const changed = await person.open(`${DONATIONS}?search=${search.slice(0, -4)}AAAA`);
    assert.match(changed.text, /This search has expired/);
  });

  test('finds donors', async () => {
    await api.pool.query(
      `insert into donor (id, organization_id, email, first_name, last_name, source)
       values ('dnr_sought', 'org_harbor', 'ada.sought@example.org', 'Ada', 'Sought', 'api')`,
    );
    const { person, page } = await open(`${HOME}/donors`);
    for (const q of ['ada.sought@example.org', 'Ada Sought']) {
      const found = await person.send(page, `${HOME}/donors/search`, { q });
      assert.match(found.text, /dnr_sought/, q);
      assert.match(found.text, /1 donor/);
      assert.doesNotMatch(found.url.href, /sought/i);
    }
  });
});

/** Parses a CSV file into records of fields (RFC 4180). */
const recordsOf = (text: string) =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

describe('the CSV export of donations', () => {
  test('contains every matching donation once, and its amounts add up to the totals', async () => {
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, fee_cents, currency, source, donor_name,
         created_at, recurring)
       select 'don_many_' || n, 'org_harbor', n, 1, 'usd', 'api', 'Donor "' || n || '", Jr.',
         '2019-05-05T12:00:00Z', false from generate_series(1, 2500) as n`,
    );
    const query = 'from=2019-05-05&to=2019-05-05';
    const { person, page } = await open(`${DONATIONS}?${query}`);
    const file = await person.open(`${DONATIONS}/export.csv?${query}`);
    assert.equal(file.status, 200);
    const [headings, ...records] = recordsOf(file.text);
    assert.equal(new Set(headings).size, headings!.length);
    assert.equal(headings![2], 'Created (America/New_York)');
    assert.equal(records.length, 2500);
    assert.equal(new Set(records.map(([id]) => id)).size, 2500);
    const column = (heading: string) =>
      records.map((record) => record[headings!.indexOf(heading)]!);
    const cents = column('Amount').reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
    assert.equal(dollars(cents), totalsIn(page).get('Gross'));
    assert.ok(column('Created (America/New_York)').every((text) => text === '2019-05-05 08:00:00'));
    assert.ok(column('Donor').includes('Donor "7", Jr.'));
    assert.match(column('Reference')[0]!, /^\w{4}-\w{4}$/);
  });

  test('has a file name with the organization and the period', async () => {
    const { person } = await open(DONATIONS);
    const file = await person.open(`${DONATIONS}/export.csv?from=2019-05-05&to=2019-05-06`);
    assert.match(file.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(
      file.headers.get('content-disposition') ?? '',
      /^attachment; filename="donations-harbor-street-food-bank-from-2019-05-05-to-2019-05-06\.csv"/,
    );
  });

  test('redirects to a relative URL of the list when a filter is invalid', async () => {
    const { person } = await open(DONATIONS);
    const proxied = { host: 'internal.example:8080' };
    const response = await person.open(`${DONATIONS}/export.csv?from=nonsense`, proxied);
    assert.equal(response.url.href, new URL(`${DONATIONS}?from=nonsense`, api.url).href);
  });

  test('escapes formulas and keeps negative amounts as numbers', async () => {
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, fee_cents, currency, source, donor_name,
         created_at, refund_status, refunded_amount_cents)
       values ('don_formula', 'org_harbor', 500, 45, 'usd', 'api', '=HYPERLINK("http://x")',
         '2018-01-05T12:00:00Z', 'full', 500)`,
    );
    const { person } = await open(DONATIONS);
    const file = await person.open(`${DONATIONS}/export.csv?from=2018-01-05&to=2018-01-05`);
    const [headings, record] = recordsOf(file.text);
    const cell = (heading: string) => record![headings!.indexOf(heading)];
    assert.equal(cell('Donor'), `'=HYPERLINK("http://x")`);
    assert.deepEqual(
      ['Amount', 'Fee', 'Net', 'Refunded', 'Currency', 'Status', 'Recurring'].map(cell),
      ['5.00', '0.45', '-0.45', '5.00', 'USD', 'Refunded', 'no'],
    );
  });

  test('requires donations:read', async () => {
    const { person } = await open(HOME, DEMO_PEOPLE[2].email);
    assert.equal((await person.open(`${DONATIONS}/export.csv`)).status, 403);
    const response = await visitor().open(`${DONATIONS}/export.csv`);
    assert.equal(response.url.pathname, '/sign-in');
  });
});

describe('donors', () => {
  test('show the total after refunds and disputes, the number of donations and the last date', async () => {
    await api.pool.query(
      `insert into donor (id, organization_id, email, first_name, last_name, source)
       values ('dnr_sums', 'org_harbor', 'sums@example.org', 'Sam', 'Sums', 'api')`,
    );
    await api.pool.query(
      `insert into donation (id, organization_id, contact_id, amount_cents, currency, source,
         refund_status, refunded_amount_cents, created_at) values
       ('don_sum1', 'org_harbor', 'dnr_sums', 10000, 'usd', 'api', 'partial', 2500, '2026-03-30T03:30:00Z'),
       ('don_sum2', 'org_harbor', 'dnr_sums', 5000, 'eur', 'api', 'none', 0, '2026-02-01T12:00:00Z')`,
    );
    const { person, page } = await open(`${HOME}/donors`);
    const row = page.document.querySelector('a[href$="/dnr_sums"]')!.closest('tr')!;
    const cells = textsOf(row, 'th, td');
    for (const text of ['€50.00, $75.00', 'Mar 29, 2026', '2'])
      assert.ok(cells.includes(text), text);
    const donor = await person.open(`${HOME}/donors/dnr_sums`);
    assert.match(donor.text, /don_sum1[\s\S]*don_sum2/);
    const file = recordsOf((await person.open(`${HOME}/donors/export.csv`)).text);
    assert.deepEqual(
      file.filter(([id]) => id === 'dnr_sums').map((record) => record.slice(9, 16)),
      [
        ['1', 'EUR', '50.00', '0.00', '0.00', '50.00', '2026-02-01 07:00:00'],
        ['1', 'USD', '100.00', '25.00', '0.00', '75.00', '2026-03-29 23:30:00'],
      ],
    );
  });
});

describe('donors by year', () => {
  test('are added up in the time zone of the organization, and filter the list and its export', async () => {
    await api.pool.query(
      `insert into donor (id, organization_id, email, first_name, last_name, source)
       values ('dnr_years', 'org_harbor', 'years@example.org', 'Yara', 'Years', 'api'),
              ('dnr_later', 'org_harbor', 'later@example.org', 'Lara', 'Later', 'api')`,
    );
    await api.pool.query(
      `insert into donation (id, organization_id, contact_id, amount_cents, currency, source,
         refund_status, refunded_amount_cents, created_at) values
       ('don_year1', 'org_harbor', 'dnr_years', 10000, 'usd', 'api', 'partial', 2500, '2023-01-01T03:00:00Z'),
       ('don_year2', 'org_harbor', 'dnr_years', 4000, 'usd', 'api', 'none', 0, '2023-01-01T06:00:00Z'),
       ('don_year3', 'org_harbor', 'dnr_later', 700, 'usd', 'api', 'none', 0, '2024-01-01T06:00:00Z')`,
    );
    const { person, page } = await open(`${HOME}/donors/dnr_years`);
    assert.deepEqual(
      readRows(page.document.querySelector('[aria-label="Donations by year"]')!).slice(1),
      [
        ['2023', '1', '$40.00', '$0.00', '$0.00', '$40.00'],
        ['2022', '1', '$100.00', '$25.00', '$0.00', '$75.00'],
      ],
    );
    const list = await person.open(`${HOME}/donors?year=2022`);
    assert.deepEqual(
      readRows(list.document.querySelector('[aria-label="Donors"]')!)
        .slice(1)
        .map(([name, , , count, total]) => [name, count, total]),
      [['Yara Years', '1', '$75.00']],
    );
    const [head, ...lines] = recordsOf(
      (await person.open(`${HOME}/donors/export.csv?year=2022`)).text,
    );
    assert.deepEqual(head!.slice(9, 12), ['Year', 'Donations', 'Currency']);
    assert.deepEqual(
      lines.map((line) => [line[0], line[9], line[10], line[15]]),
      [['dnr_years', '2022', '1', '75.00']],
    );
    assert.equal((await person.open(`${HOME}/donors?year=1800`)).status, 400);
  });
});

describe('a payout', () => {
  const PAYOUT = `${HOME}/payouts/po_sums`;

  test('reconciles its transactions with the payout amount, and says what Stripe has not listed', async () => {
    await api.pool.query(
      `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date)
       values ('po_sums', 'org_harbor', 9505, 'usd', 'in_transit', '2026-03-30')`,
    );
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name,
         processor_payment_intent_id)
       values ('don_paid', 'org_harbor', 10000, 'usd', 'api', 'Paula Paid', 'pi_sums')`,
    );
    await api.pool.query(
      `insert into balance_transaction (id, organization_id, payout_id, processor_transaction_id,
         processor_payment_intent_id, reporting_category, amount_cents, fee_cents, currency, created_at) values
       ('btx_a', 'org_harbor', 'po_sums', 'txn_a', 'pi_sums', 'charge', 10000, 320, 'usd', '2026-03-30T03:30:00Z'),
       ('btx_b', 'org_harbor', 'po_sums', 'txn_b', 'pi_else', 'charge', 5000, 175, 'usd', now()),
       ('btx_c', 'org_harbor', 'po_sums', 'txn_c', 'pi_else', 'refund', -2000, 0, 'usd', now()),
       ('btx_d', 'org_harbor', 'po_sums', 'txn_d', 'pi_gone', 'dispute', -500, 1500, 'usd', now()),
       ('btx_e', 'org_harbor', 'po_sums', 'txn_e', null, 'fee', -995, 0, 'usd', now())`,
    );
    const { page, person } = await open(PAYOUT);
    const table = page.document.querySelector('[aria-label="Summary"]');
    assert.deepEqual(readRows(table!).slice(1), [
      ['Donations', '1', '$100.00', '$3.20', '$96.80'],
      ['Other payments', '1', '$50.00', '$1.75', '$48.25'],
      ['Refunds', '1', '-$20.00', '$0.00', '-$20.00'],
      ['Disputes', '1', '-$5.00', '$15.00', '-$20.00'],
      ['Stripe fees', '1', '-$9.95', '$0.00', '-$9.95'],
      ['Not listed by Stripe', '', '', '', '-$0.05'],
      ['Payout', '', '', '', '$95.05'],
    ]);
    assert.match(page.text, /In transit/);
    assert.match(page.text, /Stripe lists the transactions of a payout when it has been paid/);
    const file = recordsOf((await person.open(`${PAYOUT}/export.csv`)).text);
    const net = file.slice(1).reduce((sum, record) => sum + Math.round(Number(record[8]) * 100), 0);
    assert.equal(net, 9510);
    assert.ok(
      file.some((record) => record[3] === 'Paula Paid' && record[4] === '2026-03-29 23:30:00'),
    );
  });

  test('made by hand says that Stripe does not list its transactions', async () => {
    await api.pool.query(
      `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date, automatic, trace_id)
       values ('po_manual', 'org_harbor', 1500, 'usd', 'paid', '2026-03-30', false, 'TRACE123')`,
    );
    const { page } = await open(`${HOME}/payouts/po_manual`);
    assert.match(page.text, /made by hand at Stripe/);
    assert.match(page.text, /TRACE123/);
  });

  test('lists what no payout contains, and exports it', async () => {
    await api.pool.query(
      `insert into balance_transaction (id, organization_id, processor_transaction_id, processor_source_id,
         reporting_category, amount_cents, fee_cents, currency) values
       ('btx_unpaid', 'org_harbor', 'txn_unpaid', null, 'fee', -700, 0, 'usd'),
       ('btx_manual', 'org_harbor', 'txn_manual', 'po_at_stripe', 'payout', -1500, 0, 'usd')`,
    );
    const { page, person } = await open(`${HOME}/payouts/unpaid`);
    const rows = readRows(page.document.querySelector('[aria-label="Transactions"]')!);
    const amountsOf = (name: string) =>
      rows.filter(([type]) => type === name).map((row) => row.at(-1));
    assert.deepEqual(amountsOf('Stripe fee'), ['-$7.00']);
    assert.deepEqual(amountsOf('Payout made by hand'), ['-$15.00']);
    const file = recordsOf((await person.open(`${HOME}/payouts/unpaid/export.csv`)).text);
    assert.deepEqual(
      file.filter(([type]) => type === 'Stripe fee').map((record) => [record[8], record[9]]),
      [['-7.00', '']],
    );
  });

  test('tells a payout made by hand from one that failed and is paid out again', async () => {
    await api.pool.query(
      `insert into payout (id, organization_id, processor_payout_id, amount_cents, currency, status,
         arrival_date, automatic, trace_id) values
       ('po_again', 'org_harbor', 'po_again_st', 3000, 'usd', 'paid', '2026-04-02', true, 'TRACE456'),
       ('po_failed', 'org_harbor', 'po_failed_st', 2000, 'usd', 'failed', '2026-04-01', true, null),
       ('po_instant', 'org_harbor', 'po_instant_st', 1000, 'usd', 'paid', '2026-04-01', false, null)`,
    );
    await api.pool.query(
      `insert into balance_transaction (id, organization_id, payout_id, processor_transaction_id,
         processor_source_id, reporting_category, amount_cents, fee_cents, fee_details, currency) values
       ('btx_again1', 'org_harbor', 'po_again', 'txn_1', 'ch_1', 'charge', 6100, 100,
         '[{"amount_cents":90,"currency":"usd","type":"stripe_fee","description":"Stripe processing fees"},
           {"amount_cents":10,"currency":"usd","type":"tax","description":null}]', 'usd'),
       ('btx_again2', 'org_harbor', 'po_again', 'txn_2', 'po_failed_st', 'payout', -2000, 0, '[]', 'usd'),
       ('btx_again3', 'org_harbor', 'po_again', 'txn_3', 'po_instant_st', 'payout', -1000, 0, '[]', 'usd')`,
    );
    const { page, person } = await open(`${HOME}/payouts/po_again`);
    const summary = readRows(page.document.querySelector('[aria-label="Summary"]')!);
    assert.deepEqual(
      summary.slice(1).map((row) => [row[0], row.at(-1)]),
      [
        ['Other payments', '$60.00'],
        ['Earlier payouts', '-$20.00'],
        ['Payouts made by hand', '-$10.00'],
        ['Payout', '$30.00'],
      ],
    );
    const file = recordsOf((await person.open(`${HOME}/payouts/po_again/export.csv`)).text);
    assert.deepEqual(file[0]!.slice(-2), ['Fee details', 'Trace ID']);
    assert.deepEqual(file.find(([type]) => type === 'Other payment')!.slice(-2), [
      'Stripe processing fees: $0.90; tax: $0.10',
      'TRACE456',
    ]);
  });

  test('can be exported only with donations:read', async () => {
    await api.pool.query(
      `update membership set permissions = '{payouts:read}' where organization_id = 'org_harbor'
       and person_id = (select id from person where email = $1)`,
      [ADMIN],
    );
    const { person, page } = await open(`${HOME}/payouts`, ADMIN);
    assert.equal(page.status, 200);
    const [payout] = await rowsOf<{ id: string }>(
      `select id from payout where organization_id = 'org_harbor' limit 1`,
    );
    assert.equal((await person.open(`${HOME}/payouts/${payout!.id}/export.csv`)).status, 403);
  });
});

test('a campaign shows the amount raised and the goal, as its public progress does', async () => {
  const [campaign] = await rowsOf<{ campaign_id: string }>(
    `select campaign_id from donation where organization_id = 'org_harbor' and campaign_id is not null limit 1`,
  );
  const id = campaign!.campaign_id;
  const progress = (await (
    await api.get(`/campaigns/${id}/progress`, ['reference:read'])
  ).json()) as { raised_cents: number };
  const { page, person } = await open(`${HOME}/campaigns`);
  assert.ok(page.text.includes(dollars(progress.raised_cents)));
  const one = await person.open(`${HOME}/campaigns/${id}`);
  assert.ok(textsOf(one.document, 'strong').includes(dollars(progress.raised_cents)));
  assert.ok(one.text.includes(`${DONATIONS}?campaign=${id}`));
});
