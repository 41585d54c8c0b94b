import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { ADMIN, OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';
import {
  attributesOf,
  readDocument,
  readRows,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { dayChart } from './day-chart.ts';
import { monthPeriods } from './month-periods.ts';
import { loadComparison, loadMonthTotals } from './month-totals.ts';
import { changeText, comparisonView } from './month-view.ts';

const { api, visitor } = await startOauth();
const { db, pool } = api;
const HOME = '/dashboard/org_lantern';

const periodsAt = (time: string, zone: string) => monthPeriods(zone, Temporal.Instant.from(time));
const namesOf = ({ current, previous }: ReturnType<typeof monthPeriods>) =>
  [current, previous].map(({ first, last }) => `${first} ${last}`);

describe('this month and the same part of last month', () => {
  test('end today in the time zone of the organization', () => {
    const time = '2026-12-01T03:30:00Z';
    assert.deepEqual(namesOf(periodsAt(time, 'UTC')), [
      '2026-12-01 2026-12-01',
      '2026-11-01 2026-11-01',
    ]);
    assert.deepEqual(namesOf(periodsAt(time, 'America/New_York')), [
      '2026-11-01 2026-11-30',
      '2026-10-01 2026-10-30',
    ]);
  });

  test('end with the last day of a shorter month', () => {
    const [, previous] = namesOf(periodsAt('2026-03-31T12:00:00Z', 'UTC'));
    assert.equal(previous, '2026-02-01 2026-02-28');
  });

  test('end at the same time of day, but not in a shorter month', () => {
    const endOf = (time: string) => periodsAt(time, 'UTC').previous.end.toISOString();
    assert.equal(endOf('2026-11-24T09:30:00Z'), '2026-10-24T09:30:00.000Z');
    assert.equal(endOf('2026-03-28T09:30:00Z'), '2026-02-28T09:30:00.000Z');
    assert.equal(endOf('2026-03-29T09:30:00Z'), '2026-03-01T00:00:00.000Z');
  });

  test('have a day of 23 hours at a clock change', () => {
    const { current } = periodsAt('2026-03-09T12:00:00Z', 'America/New_York');
    const [eighth, ninth] = current.starts.slice(7, 9);
    assert.equal((ninth!.getTime() - eighth!.getTime()) / 3_600_000, 23);
  });
});

describe('the totals of a month', () => {
  const periods = periodsAt('2026-03-10T12:00:00Z', 'America/New_York');
  let number = 0;
  const donate = async (arrivedAt: string, cents: number, fields: Record<string, unknown> = {}) => {
    const row = {
      id: `don_month_${(number += 1)}`,
      organization_id: 'org_lantern',
      amount_cents: cents,
      currency: 'eur',
      source: 'api',
      created_at: arrivedAt,
      // Bank debits are counted by the day they arrive, not by the day on which the donor confirmed them.
      paid_at: '2026-02-09T12:00:00Z',
      ...fields,
    };
    const names = Object.keys(row);
    await pool.query(
      `insert into donation (${names.join()}) values (${names.map((_, n) => `$${n + 1}`).join()})`,
      Object.values(row),
    );
  };

  test('include exactly the days of the time zone, net of refunds and disputes', async () => {
    await pool.query(`delete from donation where organization_id = 'org_lantern'`);
    await pool.query(`update organization set currency = 'eur' where id = 'org_lantern'`);
    await pool.query(
      `insert into donor (id, organization_id, source) values ('dnr_m', 'org_lantern', 'api')`,
    );
    await donate('2026-03-01T04:59:59Z', 1); // 28 February, which is after the compared days
    await donate('2026-03-01T05:00:00Z', 1000, { contact_id: 'dnr_m' });
    await donate('2026-03-11T03:59:59Z', 3000, { contact_id: 'dnr_m', recurring: true });
    await donate('2026-03-11T04:00:00Z', 5); // Tomorrow
    await donate('2026-03-05T12:00:00Z', 2000, {
      refunded_amount_cents: 500,
      refund_status: 'partial',
    });
    await donate('2026-03-05T12:00:00Z', 900, {
      disputed_amount_cents: 900,
      dispute_status: 'lost',
    });
    await donate('2026-02-10T12:00:00Z', 400);
    await donate('2026-02-10T13:00:00Z', 60_000); // An hour later in the day than now
    await donate('2026-02-11T12:00:00Z', 70_000);
    await donate('2026-03-05T12:00:00Z', 7, { currency: 'usd' });
    const organization = { organizationId: 'org_lantern', currency: 'eur' };
    const [euros, dollars, ...others] = await loadMonthTotals(db, organization, periods);
    assert.partialDeepStrictEqual(euros, {
      currency: 'eur',
      current: { raised_cents: 5500, recurring_cents: 3000, donations: 4, donors: 1 },
      previous: { raised_cents: 400, recurring_cents: 0, donations: 1, donors: 0 },
    });
    assert.deepEqual(euros!.current.byDay, [1000, 0, 0, 0, 1500, 0, 0, 0, 0, 3000]);
    assert.equal(euros!.previous.byDay[9], 400);
    assert.partialDeepStrictEqual(dollars, { currency: 'usd', current: { raised_cents: 7 } });
    assert.deepEqual(others, []);
    const forms = await loadComparison(db, 'org_lantern', periods, 'form');
    assert.deepEqual(forms, [
      { id: null, name: 'Other donations', raised_cents: 5500, donations: 4, previous_cents: 400 },
    ]);
  });

  test('are compared in words', () => {
    const text = (now: number, before: number) => changeText(now, before, 'by March 10', String);
    assert.equal(text(150, 100), 'Up 50% from 100');
    assert.equal(text(50, 100), 'Down 50% from 100');
    assert.equal(text(999, 1000), 'About the same as 1000');
    assert.equal(text(5, 5), 'No change');
    assert.equal(text(10_010, 10_000), 'About the same as 10000');
    assert.equal(text(5, 0), 'Nothing by March 10');
  });

  test('are added up by fund', async () => {
    await pool.query(
      `insert into fund (id, organization_id, name, type, published) values ('fund_roof', 'org_lantern', 'Roof', 'restricted', true)`,
    );
    await donate('2026-03-06T12:00:00Z', 900, { fund_id: 'fund_roof' });
    await donate('2026-02-06T12:00:00Z', 100, { fund_id: 'fund_roof' });
    const [roof] = await loadComparison(db, 'org_lantern', periods, 'fund');
    assert.deepEqual(roof, {
      ...{ id: 'fund_roof', name: 'Roof' },
      ...{ raised_cents: 900, donations: 1, previous_cents: 100 },
    });
    await pool.query(`delete from donation where fund_id = 'fund_roof'`);
  });

  test('are added up by form, also of the configuration file', async () => {
    await donate('2026-03-06T12:00:00Z', 900, { form_name: 'Meals & more' });
    await donate('2026-02-06T12:00:00Z', 100, { form_name: 'Meals & more' });
    const [meals] = await loadComparison(db, 'org_lantern', periods, 'form');
    assert.deepEqual(meals, {
      ...{ id: 'name:Meals & more', name: 'Meals & more (in a file)' },
      ...{ raised_cents: 900, donations: 1, previous_cents: 100 },
    });
    const view = comparisonView('form', [meals!], periods, { path: HOME, currency: 'eur' });
    const [link] = attributesOf(readDocument(String(await view)), 'a', 'href');
    assert.equal(link, `${HOME}/donations?form=name%3AMeals+%26+more&period=this_month`);
    await pool.query(`delete from donation where form_name is not null`);
  });

  test('of more than ten forms are added up with donations through no form', async () => {
    await pool.query(
      `insert into form (id, organization_id, slug, name, draft)
       select 'form_many_' || n, 'org_lantern', 'many-' || n, 'Many ' || n, '{}'
       from generate_series(1, 12) as n`,
    );
    for (let form = 1; form <= 12; form += 1)
      await donate('2026-03-06T12:00:00Z', form * 10_000, { form_id: `form_many_${form}` });
    await donate('2026-03-06T12:00:00Z', 1_000_000);
    const forms = await loadComparison(db, 'org_lantern', periods, 'form');
    assert.equal(forms.length, 11);
    assert.deepEqual(forms.at(-1), {
      id: null,
      name: 'Other donations',
      raised_cents: 10_000 + 20_000 + 5500 + 1_000_000,
      donations: 7,
      previous_cents: 400,
    });
  });
});

test('the chart names no best day of a month without donations', () => {
  const none = { raised_cents: 0, recurring_cents: 0, donations: 0, donors: 0 };
  const chart = dayChart(
    {
      currency: 'usd',
      current: { ...none, byDay: [0] },
      previous: { ...none, byDay: [500] },
    },
    periodsAt('2026-11-01T09:00:00Z', 'UTC'),
  );
  assert.match(String(chart), /aria-label="Raised by day\. Nothing this month\."/);
});

describe('the home page', () => {
  test('of an organization without donations shows zeros and no chart', async () => {
    await pool.query(`delete from donation where organization_id = 'org_lantern'`);
    const { text } = await visitor().openAs(OWNER, HOME);
    assert.match(text, /€0\.00/);
    assert.match(text, /No donations yet/);
    assert.doesNotMatch(text, /day-chart|NaN|Infinity/);
  });

  test('links what needs attention', async () => {
    const harbor = '/dashboard/org_harbor';
    await pool.query(
      `update donation set dispute_status = 'open' where id in (
         select id from donation where organization_id = 'org_harbor' order by id limit 2)`,
    );
    await pool.query(
      `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date)
       values ('po_failed', 'org_harbor', 5, 'usd', 'failed', now())`,
    );
    const { text } = await visitor().openAs(OWNER, harbor);
    assert.match(
      text,
      new RegExp(`${harbor}/donations\\?status=disputed">\\d+ open disputes or inquiries`),
    );
    assert.match(text, new RegExp(`${harbor}/payouts\\?status=failed">1 failed payout`));
  });

  test('compares this month by form and by fund', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, form_name, fund_id)
       values ('don_now', 'org_harbor', 2500, 'usd', 'embed', 'meals', 'fund_meals')`,
    );
    const { text } = await visitor().openAs(OWNER, '/dashboard/org_harbor');
    assert.match(text, /This month by form/);
    assert.match(text, /This month by fund/);
  });

  test('links refunds that failed lately, but not those that were canceled', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source)
       values ('don_kept', 'org_harbor', 2500, 'usd', 'embed')`,
    );
    await pool.query(
      `insert into refund (id, organization_id, donation_id, amount_cents, status, processor_refund_id,
         failure_reason, created_at) values
       ('ref_failed', 'org_harbor', 'don_kept', 2500, 'failed', 're_failed', 'expired_or_canceled_card', now()),
       ('ref_unknown', 'org_harbor', 'don_kept', 2500, 'failed', 're_unknown', null, now()),
       ('ref_canceled', 'org_harbor', 'don_kept', 2500, 'failed', 're_canceled', 'canceled', now()),
       ('ref_made', 'org_harbor', 'don_kept', 2500, 'succeeded', 're_made', null, now()),
       ('ref_old', 'org_harbor', 'don_kept', 2500, 'failed', 're_old', null, now() - interval '31 days')`,
    );
    const owner = visitor();
    const { document } = await owner.openAs(OWNER, '/dashboard/org_harbor');
    const path = '/dashboard/org_harbor/donations/refunds?status=failed';
    assert.deepEqual(textsOf(document, `.attention a[href="${path}"]`), ['2 failed refunds']);
    const list = await owner.open(path);
    assert.deepEqual(
      readRows(list.document)
        .slice(1)
        .map(([, , status]) => status)
        .sort(),
      ['Canceled', 'Failed', 'Failed', 'Failed'],
    );
  });

  test('shows no amounts to a member without donations:read', async () => {
    await pool.query(
      `update membership set permissions = '{donors:read}' where organization_id = 'org_harbor'
       and person_id = (select id from person where email = $1)`,
      [ADMIN],
    );
    const { text } = await visitor().openAs(ADMIN, '/dashboard/org_harbor');
    assert.doesNotMatch(text, /\$\d/);
  });
});
