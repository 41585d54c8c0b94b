import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../../test-support/database.ts';
import { emptySchema, migrateTo } from '../../../test-support/migrate-to.ts';
import { openDatabase } from '../database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('rows of an earlier release keep their data under the new names', async () => {
  await emptySchema(db);
  await migrateTo(db, '0034');
  await sql`insert into organization (id, name, slug, currency)
    values ('org_one', 'One', 'one', 'usd')`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source, reading)
    values ('don_1', 'org_one', 2000, 'usd', 'api', 7)`.execute(db);
  await sql`insert into payout (id, organization_id, amount_cents, currency, status, arrival_date)
    values ('po_1', 'org_one', 1, 'usd', 'paid', now())`.execute(db);
  await sql`insert into payout_donation (id, organization_id, payout_id, processor_transaction_id,
      processor_payment_intent_id, type, amount_cents, fee_cents, currency)
    values ('pod_1', 'org_one', 'po_1', 'txn_1', 'pi_1', 'gift', 1, 0, 'usd'),
      ('pod_2', 'org_one', 'po_1', 'txn_2', 'pi_1', 'refund', -1, 0, 'usd')`.execute(db);
  await sql`insert into mail (id, organization_id, kind, once_key, details) values
    ('mail_1', 'org_one', 'card_testing', 'one', '{"failed": 20, "tried": 25, "url": "/"}'),
    ('mail_2', 'org_one', 'receipt', 'two', '{}')`.execute(db);
  await sql`select setval('processor_reading', 41)`.execute(db);
  await migrateTo(db, '0035');
  const { rows: types } = await sql`select type from payout_donation order by id`.execute(db);
  assert.deepEqual(types, [{ type: 'donation' }, { type: 'refund' }]);
  const { rows: mails } = await sql`select details from mail order by id`.execute(db);
  assert.deepEqual(mails, [
    { details: { declined_cards: 20, attempted_cards: 25, url: '/' } },
    { details: {} },
  ]);
  const { rows: versions } = await sql`
    select row_version::int, nextval('row_version_seq')::int as next from donation`.execute(db);
  assert.deepEqual(versions, [{ row_version: 7, next: 42 }]);
});

test('the change log contains inserts and updates, except of the row version alone', async () => {
  await sql`delete from resource_change`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source)
    values ('don_2', 'org_one', 500, 'usd', 'api')`.execute(db);
  await sql`update donation set row_version = 8`.execute(db);
  await sql`update donation set donor_name = 'Ada' where id = 'don_1'`.execute(db);
  const { rows } = await sql`select resource_id from resource_change order by seq`.execute(db);
  assert.deepEqual(rows, [{ resource_id: 'don_2' }, { resource_id: 'don_1' }]);
});
