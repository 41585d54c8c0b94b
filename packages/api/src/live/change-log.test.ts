import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { openDatabase } from '../db/database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

test('the change log contains inserts and updates, except of the row version alone', async () => {
  await sql`insert into organization (id, name, slug, currency)
    values ('org_one', 'One', 'one', 'usd')`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source)
    values ('don_1', 'org_one', 500, 'usd', 'api')`.execute(db);
  await sql`delete from resource_change`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source)
    values ('don_2', 'org_one', 500, 'usd', 'api')`.execute(db);
  await sql`update donation set row_version = 8`.execute(db);
  await sql`update donation set donor_name = 'Ada' where id = 'don_1'`.execute(db);
  const { rows } = await sql`select resource_id from resource_change order by seq`.execute(db);
  assert.deepEqual(rows, [{ resource_id: 'don_2' }, { resource_id: 'don_1' }]);
});
