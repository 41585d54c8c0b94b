import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DonationSeries,
  DonationSummary,
  type Donation,
  type DonationSums,
  type List,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { seedBulkDonations } from '../../db/seed/bulk.ts';
import { readError, startApi } from '../../../test-support/app/start-api.ts';
import { createBuckets } from './buckets.ts';
import { seriesQuery } from './read-series.ts';

const ORGANIZATION = 'org_harbor';
const { db, get, createKey } = await startApi();
await seedBulkDonations(db, { organizationId: ORGANIZATION, count: 3_000 });
// Some donations get another currency, and some an unknown fee.
await sql`update donation set currency = 'eur' where id in
  (select id from donation where organization_id = ${ORGANIZATION} order by id limit 40)`.execute(
  db,
);
await sql`update donation set campaign_id = 'camp_winter' where id in
  (select id from donation where organization_id = ${ORGANIZATION} order by id limit 500)`.execute(
  db,
);
await sql`update donation set fee_cents = null where id in
  (select id from donation where organization_id = ${ORGANIZATION} order by id offset 50 limit 2)`.execute(
  db,
);

async function read<Body>(path: string): Promise<Body> {
  const { token } = await createKey(['donations:read']); // One key has 120 requests per minute.
  const response = await get(path, token);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Body;
}

const series = async (query: string) =>
  DonationSeries.strict().parse(await read(`/donations/series?${query}`));

async function listAllDonations(): Promise<Donation[]> {
  const found: Donation[] = [];
  let cursor = '';
  do {
    const page = await read<List<Donation>>(`/donations?limit=100${cursor}`);
    found.push(...page.data);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor);
  return found;
}
const donations = await listAllDonations();
const middle = donations[Math.floor(donations.length / 10)]!.created_at;

/** Sums donations in JavaScript, to compare the result with the API's. */
function sumByCurrency(donations: readonly Donation[]): DonationSums[] {
  const currencies = [...new Set(donations.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const donationsInCurrency = donations.filter((donation) => donation.currency === currency);
    const sum = (field: (donation: Donation) => number) =>
      donationsInCurrency.reduce((total, donation) => total + field(donation), 0);
    const allFeesKnown = donationsInCurrency.every(
      ({ net_amount_cents }) => net_amount_cents !== null,
    );
    return {
      currency,
      count: donationsInCurrency.length,
      gross_cents: sum(({ amount_cents }) => amount_cents),
      net_cents: allFeesKnown ? sum(({ net_amount_cents }) => net_amount_cents!) : null,
      refunded_cents: sum(({ refunded_amount_cents }) => refunded_amount_cents),
      disputed_cents: sum(({ disputed_amount_cents }) => disputed_amount_cents),
      fee_cents: allFeesKnown ? sum(({ fee_cents }) => fee_cents!) : null,
      dispute_fee_cents: sum(({ dispute_fee_cents }) => dispute_fee_cents),
    };
  });
}

const addKnown = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other;

/** Adds the sums of all buckets. */
function total(steps: readonly DonationSums[]): DonationSums[] {
  const currencies = [...new Set(steps.map(({ currency }) => currency))].sort();
  return currencies.map((currency) =>
    steps
      .filter((step) => step.currency === currency)
      .reduce((one, other) => ({
        currency,
        count: one.count + other.count,
        gross_cents: one.gross_cents + other.gross_cents,
        net_cents: addKnown(one.net_cents, other.net_cents),
        refunded_cents: one.refunded_cents + other.refunded_cents,
        disputed_cents: one.disputed_cents + other.disputed_cents,
        fee_cents: addKnown(one.fee_cents, other.fee_cents),
        dispute_fee_cents: one.dispute_fee_cents + other.dispute_fee_cents,
      })),
  );
}

const QUERIES: [string, (donation: Donation) => boolean][] = [
  ['', () => true],
  ['interval=month', () => true],
  ['interval=year&time_zone=Asia/Tokyo', () => true],
  [`created_from=${middle}`, ({ created_at }) => created_at >= middle],
  [`created_from=${middle}&interval=week`, ({ created_at }) => created_at >= middle],
  [`created_to=${middle}&interval=month`, ({ created_at }) => created_at < middle],
  // Days of these zones begin in the middle of an hour (UTC).
  [
    `created_from=${middle}&interval=day&time_zone=Asia/Kolkata`,
    ({ created_at }) => created_at >= middle,
  ],
  ['interval=month&time_zone=Asia/Kathmandu', () => true],
  ['campaign_id=camp_winter&interval=year', ({ campaign_id }) => campaign_id === 'camp_winter'],
  ['fund_id=fund_meals&time_zone=Pacific/Apia', ({ fund_id }) => fund_id === 'fund_meals'],
  ['refund_status=full&interval=month', ({ refund_status }) => refund_status === 'full'],
];

describe('GET /donations/series', () => {
  for (const [query, matches] of QUERIES) {
    test(`has the sums of each bucket, which add up to the summary: ${query}`, async () => {
      const expected = donations.filter(matches);
      const { data } = await series(query);
      for (const { created_from, created_to, sums } of data) {
        const matching = expected.filter(
          ({ created_at }) => created_at >= created_from && created_at < created_to,
        );
        assert.deepEqual(sums, sumByCurrency(matching), created_from);
      }
      const filters = new URLSearchParams(query);
      for (const name of ['interval', 'time_zone']) filters.delete(name);
      const summary = DonationSummary.parse(await read(`/donations/summary?${filters}`));
      // The summary also has what is on its way, which is in no period.
      const processing = { processing_count: 0, processing_amount_cents: 0 };
      const totals = total(data.flatMap(({ sums }) => sums));
      assert.deepEqual(
        totals.map((sums) => ({ ...sums, ...processing })),
        summary.data,
      );
    });
  }

  test('uses the organization’s time zone unless another one is requested', async () => {
    await db
      .updateTable('organization')
      .set({ time_zone: 'America/Los_Angeles' })
      .where('id', '=', ORGANIZATION)
      .execute();
    const range = 'created_from=2026-03-07T08:00:00Z&created_to=2026-03-10T07:00:00Z';
    const defaultSeries = await series(range);
    assert.equal(defaultSeries.time_zone, 'America/Los_Angeles');
    assert.equal(defaultSeries.interval, 'day');
    assert.deepEqual(
      defaultSeries.data.map(({ starts_on, created_from }) => [starts_on, created_from]),
      [
        ['2026-03-07', '2026-03-07T08:00:00.000Z'],
        ['2026-03-08', '2026-03-08T08:00:00.000Z'],
        ['2026-03-09', '2026-03-09T07:00:00.000Z'],
      ],
    );
    const other = await series(`${range}&time_zone=UTC`);
    assert.equal(other.data[0]!.starts_on, '2026-03-07');
    assert.equal(other.data[0]!.created_from, '2026-03-07T08:00:00.000Z', 'clipped by the filter');
    assert.equal(
      other.data.at(-1)!.created_to,
      '2026-03-10T07:00:00.000Z',
      'clipped by the filter',
    );
  });

  test('is empty for an empty period', async () => {
    const { data } = await series(
      'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z',
    );
    assert.deepEqual(data, []);
  });

  for (const [query, field] of [
    ['interval=hour', 'interval'],
    ['interval=day&created_from=2020-01-01T00:00:00Z', 'interval'],
    ['time_zone=Mars/Olympus', 'time_zone'],
    ['time_zone=%2B05:30', 'time_zone'],
    ['time_zone=', 'time_zone'],
    // Legacy names, which not every library supports.
    ['time_zone=PST', 'time_zone'],
    ['time_zone=JST', 'time_zone'],
    ['created_to=2026-01-01T00:00:00%2B20:00', 'created_to'],
    ['created_from=yesterday', 'created_from'],
  ] as const) {
    test(`rejects ${query}, and names it`, async () => {
      const { token } = await createKey(['donations:read']);
      const error = await readError(await get(`/donations/series?${query}`, token));
      assert.match(error, new RegExp(`^400 invalid_request ${field} `));
    });
  }

  const PERIOD = { created_from: '2026-01-01T00:00:00Z', created_to: '2026-07-01T00:00:00Z' };

  /** Returns the plan of a series of the weeks of `PERIOD`. */
  async function planOf(filters: { fund_id?: string; campaign_id?: string }, zone: string) {
    const span = { fromMs: Date.UTC(2026, 0), toMs: Date.UTC(2026, 6) };
    const buckets = createBuckets(span, 'week', zone);
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_bitmapscan = off`.execute(tx);
      return await seriesQuery(tx, ORGANIZATION, { ...filters, ...PERIOD }, buckets).explain(
        'text',
      );
    });
    return plan.map((row) => (row as Record<string, string>)['QUERY PLAN']).join('\n');
  }

  test('reads the donations of a fund once, with an index', async () => {
    const plan = await planOf({ fund_id: 'fund_meals' }, 'America/New_York');
    // With so few donations both indexes cost the same.
    assert.equal(plan.match(/Index Scan using donation_(of_fund|list)/g)?.length, 1, plan);
    assert.match(plan, /Index Cond: .*_id = .*created_at >= .*created_at < /);
    assert.doesNotMatch(plan, /Seq Scan|Nested Loop/);
  });

  for (const filters of [{}, { campaign_id: 'camp_winter' }]) {
    test(`reads totals, and donations only of partial hours: ${JSON.stringify(filters)}`, async () => {
      const plan = await planOf(filters, 'Asia/Kolkata');
      assert.match(
        plan,
        /using donation_total_pkey on donation_total.*\n\s+Index Cond: .*campaign_id = .*period = 'day'.*starts_at >= .*starts_at < /,
      );
      assert.match(
        plan,
        /on donation\b.*\n\s+Index Cond: .*created_at >= to_timestamp.*created_at < \(to_timestamp/,
      );
      assert.doesNotMatch(plan, /Seq Scan on donation/);
    });
  }
});
