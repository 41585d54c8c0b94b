import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Reference } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneDatabase } from '../../../test-support/database.ts';
import { emptySchema, migrateTo } from '../../../test-support/migrate-to.ts';
import { openDatabase } from '../database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('existing donations get unique references, the same ones in every run', async () => {
  const runs: string[][] = [];
  for (const _ of [1, 2]) {
    await emptySchema(db);
    await migrateTo(db, '0026');
    await sql`insert into organization (id, name, slug, currency)
      values ('org_one', 'One', 'one', 'usd'), ('org_two', 'Two', 'two', 'usd')`.execute(db);
    await sql`insert into donation (id, organization_id, amount_cents, currency, source, created_at,
        processor_payment_intent_id)
      select 'don_' || n, case when n % 3 = 0 then 'org_two' else 'org_one' end, n, 'usd', 'api',
        '2026-01-01'::timestamptz + n % 50 * interval '1 hour', 'pi_' || n
      from generate_series(1, 2000) as n`.execute(db);
    await sql`insert into payout (id, organization_id, amount_cents, currency, status, arrival_date)
      values ('po_1', 'org_one', 1, 'usd', 'paid', now())`.execute(db);
    await sql`insert into payout_donation (id, organization_id, payout_id, processor_transaction_id,
        processor_payment_intent_id, type, amount_cents, fee_cents, currency)
      values ('pod_1', 'org_one', 'po_1', 'txn_1', 'pi_1', 'gift', 1, 0, 'usd'),
        ('pod_2', 'org_one', 'po_1', 'txn_2', 'pi_2', 'refund', 1, 0, 'usd')`.execute(db);
    await sql`delete from resource_change`.execute(db);
    await migrateTo(db, '0027');
    const { rows } = await sql<{ organization_id: string; reference: string; payout_id: string }>`
      select organization_id, reference, payout_id from donation order by id`.execute(db);
    assert.ok(rows.every(({ reference }) => Reference.safeParse(reference).success));
    const named = rows.map((row) => `${row.organization_id} ${row.reference}`);
    assert.equal(new Set(named).size, 2000);
    assert.equal(rows.filter(({ payout_id }) => payout_id === 'po_1').length, 1);
    const { rows: told } = await sql`select from resource_change`.execute(db);
    assert.equal(told.length, 0);
    runs.push(named);
  }
  assert.deepEqual(runs[0], runs[1]);
});
