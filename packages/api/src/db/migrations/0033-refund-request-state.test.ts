import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../../test-support/database.ts';
import { emptySchema, migrateTo } from '../../../test-support/migrate-to.ts';
import { openDatabase } from '../database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('rejected refund requests of an earlier release stay rejected', async () => {
  await emptySchema(db);
  await migrateTo(db, '0033');
  await sql`insert into organization (id, name, slug, currency)
    values ('org_one', 'One', 'one', 'usd')`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source, reference)
    values ('don_1', 'org_one', 2000, 'usd', 'api', 'K7QM4XTZ')`.execute(db);
  await sql`insert into refund_request (key, organization_id, donation_id, amount_cents)
    values ('don_1 0 500 0 refused ref_1', 'org_one', 'don_1', 500),
      ('don_1 300 500 2', 'org_one', 'don_1', 500)`.execute(db);
  await migrateTo(db, '0034');
  const { rows } = await sql`
    select refunded_before_cents::int as before, rejected_at = created_at as rejected
    from refund_request order by key`.execute(db);
  assert.deepEqual(rows, [
    { before: 0, rejected: true },
    { before: 300, rejected: null },
  ]);
});
