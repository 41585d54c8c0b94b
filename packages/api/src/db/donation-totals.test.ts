import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startApi } from '../../test-support/app/start-api.ts';
import { loadRaisedCents } from '../resources/catalogue/raised.ts';
import { compareTotals, storeTotals } from './donation-totals.ts';
import { sumDonations } from '../resources/donations/sums.ts';

const ORGANIZATION = 'org_harbor';
const CAMPAIGN = 'camp_winter';
const { db, pool } = await startApi();

const SUMS = `currency, count(*)::float8 as count, sum(amount_cents)::float8 as gross_cents,
  case when count(*) = count(net_amount_cents) then sum(net_amount_cents)::float8 end as net_cents,
  sum(refunded_amount_cents)::float8 as refunded_cents,
  sum(disputed_amount_cents)::float8 as disputed_cents,
  case when count(*) = count(fee_cents) then sum(fee_cents)::float8 end as fee_cents,
  sum(dispute_fee_cents)::float8 as dispute_fee_cents`;

/** Asserts that the sums from the totals are those of the donations. */
async function assertExact(): Promise<void> {
  const { rows: all } = await pool.query(`select ${SUMS} from donation
    where organization_id = '${ORGANIZATION}' group by currency order by currency`);
  assert.deepEqual((await sumDonations(db, ORGANIZATION, {})).data, all);
  const { rows } = await pool.query(`select ${SUMS} from donation
    where organization_id = '${ORGANIZATION}' and campaign_id = '${CAMPAIGN}'
    group by currency order by currency`);
  const sums = await sumDonations(db, ORGANIZATION, { campaign_id: CAMPAIGN });
  assert.deepEqual(sums.data, rows);
  const raised = await pool.query<{ cents: number }>(`
    select sum(amount_cents - refunded_amount_cents - disputed_amount_cents)::float8 as cents
    from donation where campaign_id = '${CAMPAIGN}' and currency = 'usd'`);
  const raisedCents = await loadRaisedCents(db, ORGANIZATION, [CAMPAIGN]);
  assert.equal(raisedCents.get(CAMPAIGN), raised.rows[0]!.cents);
}

const countChanges = async () =>
  (await pool.query<{ count: number }>('select count(*)::int from donation_total_change')).rows[0]!
    .count;

const insert = (id: string, fee: number | null = 30) =>
  pool.query(
    `insert into donation (id, organization_id, amount_cents, fee_cents, currency, campaign_id, source)
      values ($1, $2, 5000, $3, 'usd', $4, 'api')`,
    [id, ORGANIZATION, fee, CAMPAIGN],
  );
const change = (assignment: string) =>
  pool.query(`update donation set ${assignment} where id = 'don_total'`);

test('totals follow each change of a donation, before and after they are stored', async () => {
  await storeTotals(db);
  await assertExact();
  for (const apply of [
    () => insert('don_total', null),
    () => change('fee_cents = 175'),
    () => change('refunded_amount_cents = 2000'),
    () => change('refunded_amount_cents = 1000'),
    () => change('disputed_amount_cents = 4000'),
    () => change('disputed_amount_cents = 0'),
    () => change("currency = 'eur'"),
    () => change("currency = 'usd', created_at = created_at - interval '40 days'"),
    () => change('campaign_id = null'),
    () => change(`campaign_id = '${CAMPAIGN}', amount_cents = 7000`),
    () => pool.query("delete from donation where id = 'don_total'"),
  ]) {
    await apply();
    assert.notEqual(await countChanges(), 0);
    await assertExact();
    await storeTotals(db);
    assert.equal(await countChanges(), 0);
    await assertExact();
  }
});

test('a change that adds nothing to totals is not recorded', async () => {
  await insert('don_unchanged');
  await storeTotals(db);
  await pool.query("update donation set donor_name = 'Ada' where id = 'don_unchanged'");
  assert.equal(await countChanges(), 0);
});

test('donations of the same hour do not wait for each other', async () => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`insert into donation (id, organization_id, amount_cents, currency, source)
      values ('don_slow', '${ORGANIZATION}', 100, 'usd', 'api')`);
    await insert('don_fast');
    await storeTotals(db);
    await assertExact();
    await client.query('commit');
    await assertExact();
  } finally {
    client.release();
  }
});

test('several processes store totals during donations, and each is counted once', async () => {
  const donating = Array.from({ length: 40 }, (_, index) => insert(`don_many_${index}`));
  const storing = Array.from({ length: 20 }, () => storeTotals(db));
  await Promise.all([...donating, ...storing]);
  await assertExact();
  await storeTotals(db);
  assert.equal(await countChanges(), 0);
  await assertExact();
});

test('the comparison finds and corrects a wrong total', async () => {
  await storeTotals(db);
  const from = new Date(0);
  assert.deepEqual(await compareTotals(db, ORGANIZATION, { from, repair: true }), []);
  await sql`update donation_total set gross_cents = gross_cents + 1 where (campaign_id, currency, period, starts_at) in (
    select campaign_id, currency, period, max(starts_at) from donation_total
    where campaign_id = ${CAMPAIGN} and currency = 'usd' group by campaign_id, currency, period)`.execute(
    db,
  );
  await insert('don_not_stored');
  const found = await compareTotals(db, ORGANIZATION, { from, repair: false });
  assert.deepEqual(
    found.map(({ campaign_id, currency, period }) => [campaign_id, currency, period]),
    [
      [CAMPAIGN, 'usd', 'day'],
      [CAMPAIGN, 'usd', 'hour'],
    ],
  );
  assert.deepEqual(await compareTotals(db, ORGANIZATION, { from, repair: true }), found);
  await assertExact();
  assert.deepEqual(await compareTotals(db, ORGANIZATION, { from, repair: false }), []);
});
