import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  attributesOf,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { ADMIN, OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';

const { api, visitor } = await startOauth();
const { pool } = api;
const HOME = '/dashboard/org_lantern';
const owner = visitor();

/** Records of a CSV file whose cells contain no line breaks or quoted commas. */
const idsIn = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);

const linksIn = (document: Document, list: string) => [
  ...new Set(
    attributesOf(document, `a[href^="${HOME}/${list}/"]`, 'href')
      .map((href) => href.slice(`${HOME}/${list}/`.length))
      .filter((id) => /^[a-z]+_\w+$/.test(id)),
  ),
];

before(async () => {
  await pool.query(`delete from donation where organization_id = 'org_lantern'`);
  await pool.query(`delete from recurring_plan where organization_id = 'org_lantern'`);
  await pool.query(`delete from payout where organization_id = 'org_lantern'`);
  await pool.query(`delete from donor where organization_id = 'org_lantern'`);
  await pool.query(
    `insert into form (id, organization_id, slug, name, draft)
     values ('form_x', 'org_lantern', 'x', 'Form X', '{}')`,
  );
  await pool.query(
    `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date, created_at, description) values
     ('po_a', 'org_lantern', 1000, 'usd', 'paid', '2026-03-02', '2026-03-01T04:59:59Z', '=1+1'),
     ('po_b', 'org_lantern', 2000, 'usd', 'failed', '2026-03-02', '2026-03-01T05:00:00Z', null),
     ('po_c', 'org_lantern', 3000, 'usd', 'paid', '2026-04-02', '2026-04-01T03:59:59Z', null)`,
  );
  await pool.query(
    `insert into recurring_plan (id, organization_id, amount_cents, currency, frequency, status,
       donor_name, amounts, source, processor_subscription_id, processor_customer_id, form_id,
       canceled_at, created_at) values
     ('plan_a', 'org_lantern', 1000, 'usd', 'monthly', 'active', '=cmd()', '', 'api', 'sub_a', 'cus_a', 'form_x', null, '2026-03-01T12:00:00Z'),
     ('plan_b', 'org_lantern', 2000, 'usd', 'yearly', 'past_due', 'B', '', 'api', 'sub_b', 'cus_b', null, null, '2026-03-02T12:00:00Z'),
     ('plan_c', 'org_lantern', 3000, 'usd', 'monthly', 'canceled', 'C', '', 'api', 'sub_c', 'cus_c', null, now(), '2026-04-01T12:00:00Z')`,
  );
  await pool.query(
    `insert into donor (id, organization_id, first_name, source, created_at) values
     ('dnr_a', 'org_lantern', 'A', 'api', '2026-03-01T12:00:00Z'),
     ('dnr_b', 'org_lantern', 'B', 'api', '2026-04-01T12:00:00Z')`,
  );
  await pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, source, form_id, card_brand, payment_method, created_at) values
     ('don_a', 'org_lantern', 1000, 'usd', 'embed', 'form_x', 'visa', 'card', '2026-03-01T12:00:00Z'),
     ('don_b', 'org_lantern', 2000, 'usd', 'api', null, 'amex', 'card', '2026-04-01T12:00:00Z'),
     ('don_e', 'org_lantern', 2000, 'eur', 'api', null, 'elo', 'card', '2025-04-01T12:00:00Z')`,
  );
  await pool.query(
    `update donation set form_name = 'Meals & more', plan_id = 'plan_b' where id = 'don_b'`,
  );
  await pool.query(
    `update organization set time_zone = 'America/New_York', currency = 'usd' where id = 'org_lantern'`,
  );
  await owner.openAs(OWNER, HOME);
});

describe('filters', () => {
  for (const [list, query, expected] of [
    ['payouts', '', ['po_c', 'po_b', 'po_a']],
    ['payouts', 'status=paid', ['po_c', 'po_a']],
    ['payouts', 'from=2026-03-02&to=2026-03-02', ['po_b', 'po_a']],
    ['payouts', 'from=2026-03-03&to=2026-04-01', []],
    ['payouts', 'from=2026-04-02', ['po_c']],
    ['payouts', 'min=15&max=25', ['po_b']],
    ['plans', '', ['plan_c', 'plan_b', 'plan_a']],
    ['plans', 'status=past_due', ['plan_b']],
    ['plans', 'frequency=monthly&status=active', ['plan_a']],
    ['plans', 'form=form_x', ['plan_a']],
    ['plans', 'form=name%3AMeals+%26+more', ['plan_b']],
    ['plans', 'form=name%3Anone', []],
    ['plans', 'from=2026-03-02&to=2026-03-02', ['plan_b']],
    ['plans', 'min=20', ['plan_c', 'plan_b']],
    ['donations', 'min=20&max=20', ['don_b']],
    ['plans', 'fund=fund_none', []],
    ['donors', 'to=2026-03-31', ['dnr_a']],
    ['donations', 'form=form_x', ['don_a']],
    ['donations', 'form=name%3AMeals+%26+more', ['don_b']],
    ['donations', 'form=name%3Anone', []],
    ['donations', 'brand=amex', ['don_b']],
  ] as const) {
    test(`${list}?${query} show and export the same rows`, async () => {
      const { document, status } = await owner.open(`${HOME}/${list}?${query}`);
      assert.equal(status, 200);
      assert.deepEqual(linksIn(document, list), expected);
      if (expected.length === 0) return;
      const [link] = attributesOf(document, `a[href^="${HOME}/${list}/export.csv"]`, 'href');
      const file = await owner.open(link!);
      assert.match(file.headers.get('content-type') ?? '', /text\/csv/);
      assert.deepEqual(idsIn(file.text), expected);
    });
  }

  test('the period is named after the column that it filters', async () => {
    for (const [list, label] of [
      ['payouts', 'Arrives'],
      ['plans', 'Since'],
      ['donors', 'Since'],
      ['donations', 'Period'],
    ]) {
      const { document } = await owner.open(`${HOME}/${list}`);
      assert.equal(textOf(document, 'label[for="period"]'), label, list);
    }
  });

  for (const list of ['donations', 'plans'])
    test(`the forms of the configuration file are options of ${list}`, async () => {
      const { document } = await owner.open(`${HOME}/${list}`);
      assert.deepEqual(attributesOf(document, 'select[name="form"] option', 'value'), [
        '',
        'form_x',
        'name:Meals & more',
      ]);
      assert.equal(
        textsOf(document, 'select[name="form"] option').at(-1),
        'Meals & more (in a file)',
      );
    });

  test('the export of recurring donations names the form, also one of the configuration file', async () => {
    const { text } = await owner.open(`${HOME}/plans/export.csv`);
    const [headings, ...records] = text.split('\r\n').map((line) => line.split(','));
    assert.deepEqual(
      records.slice(0, 3).map((record) => record[headings!.indexOf('Form')]),
      ['', 'Meals & more', 'Form X'],
    );
  });

  test('a cell that begins like a formula is exported as text', async () => {
    for (const list of ['payouts', 'plans']) {
      const { text } = await owner.open(`${HOME}/${list}/export.csv`);
      assert.doesNotMatch(text, /(^|,)"?=/m, list);
      assert.match(text, /'=/, list);
    }
  });

  test('invalid values are named and kept, and export nothing', async () => {
    for (const [list, query] of [
      ['payouts', 'min=abc'],
      ['payouts', 'status=lost'],
      ['plans', 'form=%00'],
      ['plans', 'min=9&max=3'],
      ['plans', 'from=2026-02-30'],
      ['donors', 'from=yesterday'],
      ['donations', 'brand=gold'],
    ]) {
      const page = await owner.open(`${HOME}/${list}?${query}`);
      assert.equal(page.status, 400, `${list} ${query}`);
      assert.match(page.text, /cannot be applied/);
      const file = await owner.open(`${HOME}/${list}/export.csv?${query}`);
      assert.match(file.headers.get('content-type') ?? '', /text\/html/, `${list} ${query}`);
    }
  });

  test('the exports need the permission of their list', async () => {
    await pool.query(
      `update membership set permissions = '{events:read}' where person_id = (
       select id from person where email = $1)`,
      [ADMIN],
    );
    const admin = visitor();
    await admin.openAs(ADMIN, '/dashboard/org_harbor');
    for (const list of ['payouts', 'plans', 'donors', 'donations']) {
      const { status } = await admin.open(`/dashboard/org_harbor/${list}/export.csv`);
      assert.equal(status, 403, list);
    }
  });
});
