import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../../test-support/database/database.ts';
import { openDatabase } from '../database.ts';
import { seedIfEmpty } from '../seed.ts';
import { seedBulkDonations } from './bulk.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(async () => {
  await close();
  await drop();
});

test('bulk donations are consistent, spread over years, and belong to donors of the organization', async () => {
  await seedIfEmpty(db);
  const progress: number[] = [];
  const onProgress = (count: number) => void progress.push(count);
  await seedBulkDonations(db, { organizationId: 'org_lantern', count: 12_345, onProgress });
  assert.deepEqual(progress, [10_000, 12_345]);
  const { rows } = await sql<Record<string, number>>`
    select count(*) as count, count(distinct contact_id) as people,
      count(distinct date_trunc('year', donation.created_at)) as years,
      count(*) filter (where net_amount_cents <> amount_cents - fee_cents - refunded_amount_cents
        or donation.created_at > now() or donor.created_at > donation.created_at
        or donor.organization_id <> donation.organization_id
        or donor_name <> first_name || ' ' || last_name or donor_email <> email) as wrong
    from donation join donor on donor.id = contact_id
    where donation.organization_id = 'org_lantern' and donation.source = 'import'
      and donor.source = 'import' and donor.email ~ '\\d{7}@'`.execute(db);
  const { count, people, years, wrong } = rows[0]!;
  assert.equal(count, 12_345);
  assert.ok(people! > 1000 && years! >= 5, JSON.stringify(rows[0]));
  assert.equal(wrong, 0);
});
