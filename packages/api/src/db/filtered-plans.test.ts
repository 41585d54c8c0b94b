import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationListQuery } from '@connect-embed/contract';
import { sql, type RawBuilder } from 'kysely';
import { startApi } from '../../test-support/start-api.ts';
import { donationList } from '../routes/donations.ts';
import { DONATION_FILTERS } from '../routes/donation-filters.ts';
import type { Deps } from '../env.ts';
import type { Db } from './database.ts';
import { seedManyDonations } from './seed/many.ts';

const ORGANIZATION = 'org_harbor';
const { db } = await startApi();
await seedManyDonations(db, { organizationId: ORGANIZATION, count: 3_000 });

/**
 * How PostgreSQL goes about the list's own statement, with the values of one query.
 *
 * What a few thousand rows would make it prefer is switched off, as for lists without filters: what
 * is looked at is whether the index alone gives the page in its order, from inside its bounds.
 */
async function planOf(query: Record<string, string>): Promise<string> {
  let plan = '';
  const prepare =
    (write: (value: (name: string) => RawBuilder<unknown>, db: Db) => RawBuilder<unknown>) =>
    async (values: Record<string, unknown>) => {
      const statement = write((name) => sql`${values[name]}`, db);
      const told = await db.transaction().execute(async (tx) => {
        for (const way of ['seqscan', 'bitmapscan', 'sort']) {
          await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx);
        }
        return await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`.execute(tx);
      });
      plan = told.rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    };
  const list = donationList({ prepare } as unknown as Deps);
  await list(ORGANIZATION, DonationListQuery.parse({ limit: '25', ...query }));
  return plan;
}

const DAY = { created_from: '2026-03-01T00:00:00Z', created_to: '2026-03-02T00:00:00Z' };
const VALUES = {
  ...DAY,
  fund_id: 'fund_meals',
  campaign_id: 'camp_winter',
  recurring: 'true',
  refund_status: 'full',
  dispute_status: 'open',
};

test('every filter of donations is among those that are looked at', () => {
  assert.deepEqual(Object.keys(VALUES).sort(), Object.keys(DONATION_FILTERS).sort());
});

for (const query of [
  {},
  ...Object.entries(VALUES).map(([name, value]) => ({ [name]: value })),
  DAY,
  { ...DAY, fund_id: VALUES.fund_id, refund_status: VALUES.refund_status },
  VALUES,
]) {
  const names = Object.keys(query).join(' and ') || 'nothing';
  test(`a page narrowed by ${names} is read along the index of time, from its end`, async () => {
    const plan = await planOf(query);
    assert.match(plan, /Index Scan Backward using donation_list on donation/, plan);
    assert.doesNotMatch(plan, /Seq Scan|Bitmap|Sort/, plan);
    const bounds = /Index Cond: (.*)/.exec(plan)?.[1] ?? '';
    assert.match(bounds, /organization_id = .*ROW\(created_at, /, plan);
    if ('created_from' in query) assert.match(bounds, /created_at >= '2026-03-01/, plan);
    if ('created_to' in query) assert.match(bounds, /created_at < '2026-03-02/, plan);
  });
}
