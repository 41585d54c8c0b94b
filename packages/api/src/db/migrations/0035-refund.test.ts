import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../../test-support/database.ts';
import { emptySchema, migrateTo } from '../../../test-support/migrate-to.ts';
import { openDatabase } from '../database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

test('refund requests and refunds of an earlier release become one row for each refund', async () => {
  await emptySchema(db);
  await migrateTo(db, '0035');
  await sql`insert into organization (id, name, slug, currency)
    values ('org_one', 'One', 'one', 'usd')`.execute(db);
  await sql`insert into donation (id, organization_id, amount_cents, currency, source)
    values ('don_1', 'org_one', 9000, 'usd', 'api')`.execute(db);
  await sql`insert into donation_refund (id, organization_id, donation_id, processor_refund_id,
      amount_cents, status, reason, failure_reason, created_at)
    values
      ('ref_a', 'org_one', 'don_1', 're_a', 100, 'succeeded', 'duplicate', null, '2026-01-02T03:04:05Z'),
      ('ref_b', 'org_one', 'don_1', 're_b', 200, 'pending', null, null, now()),
      ('ref_c', 'org_one', 'don_1', 're_c', 300, 'requires_action', null, null, now()),
      ('ref_d', 'org_one', 'don_1', 're_d', 400, 'failed', null, 'lost_or_stolen_card', now()),
      ('ref_e', 'org_one', 'don_1', 're_e', 500, 'canceled', null, null, now())`.execute(db);
  await sql`insert into refund_request (key, organization_id, donation_id, amount_cents,
      refunded_before_cents, reason, note, requested_by, processor_refund_id, rejected_at, created_at)
    values
      ('don_1 0 100 0', 'org_one', 'don_1', 100, 0, 'duplicate', 'Called', 'usr_1', 're_a', null,
        '2026-01-02T03:04:04Z'),
      ('don_1 600 400 0', 'org_one', 'don_1', 400, 600, 'fraudulent', null, 'usr_1', 're_d', null, now()),
      ('don_1 0 600 0', 'org_one', 'don_1', 600, 0, 'duplicate', null, 'usr_1', null, now(), now()),
      ('don_1 0 700 0', 'org_one', 'don_1', 700, 0, 'duplicate', null, 'usr_1', null, null, now()),
      ('don_1 0 800 0', 'org_one', 'don_1', 800, 0, 'duplicate', null, 'usr_1', 're_x', null, now())`.execute(
    db,
  );
  await migrateTo(db, '0036');
  const { rows } = await sql<{ id: string }>`
    select id, amount_cents::int as amount, status, idempotency_key as key,
      processor_refund_id as stripe_id, refunded_before_cents::int as before, reason,
      failure_reason as failure, note, requested_by as by
    from refund order by amount_cents`.execute(db);
  const fetched = { key: null, before: null, reason: null, failure: null, note: null, by: null };
  const requested = { before: 0, reason: 'duplicate', failure: null, note: null, by: 'usr_1' };
  const key = (cents: number, before = 0) => hashOf(`don_1 ${before} ${cents} 0`);
  assert.deepEqual(
    rows.map(({ id, ...row }) => ({ ...row, id: id.length > 5 ? 'new' : id })),
    [
      {
        ...{ ...requested, id: 'ref_a', amount: 100, status: 'succeeded', note: 'Called' },
        ...{ key: key(100), stripe_id: 're_a' },
      },
      { ...fetched, id: 'ref_b', amount: 200, status: 'submitted', stripe_id: 're_b' },
      { ...fetched, id: 'ref_c', amount: 300, status: 'submitted', stripe_id: 're_c' },
      {
        ...{ ...requested, id: 'ref_d', amount: 400, status: 'failed', reason: 'fraudulent' },
        ...{ failure: 'lost_or_stolen_card', key: key(400, 600), stripe_id: 're_d', before: 600 },
      },
      {
        ...{ ...fetched, id: 'ref_e', amount: 500, status: 'failed', failure: 'canceled' },
        stripe_id: 're_e',
      },
      {
        ...{ ...requested, id: 'new', amount: 600, status: 'failed', failure: 'rejected' },
        ...{ key: key(600), stripe_id: null },
      },
      {
        ...{ ...requested, id: 'new', amount: 700, status: 'requested' },
        ...{ key: key(700), stripe_id: null },
      },
      // Created at Stripe, but not fetched yet: it is not counted in the donation.
      {
        ...{ ...requested, id: 'new', amount: 800, status: 'requested' },
        ...{ key: key(800), stripe_id: 're_x' },
      },
    ],
  );
  const { rows: times } = await sql<{ created_at: Date }>`
    select created_at from refund where id = 'ref_a'`.execute(db);
  assert.equal(times[0]!.created_at.toISOString(), '2026-01-02T03:04:05.000Z');
});
