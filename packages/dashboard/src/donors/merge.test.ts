import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Donor, List } from '@connect-embed/contract';
import { compareTotals, storeTotals } from '@connect-embed/api/db/donation-totals';
import { upsertDonor } from '@connect-embed/api/payments/record-donation';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { ADMIN, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { readRows, textsOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startApi();
const { db, pool } = api;
const DONORS = '/dashboard/org_harbor/donors';
const owner = api.visitor();
await owner.openAs(DEMO_PEOPLE[0]!.email, DONORS);

const donorOf = (id: string) =>
  db.selectFrom('donor').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Creates a donor with a donation, a recurring donation, a registration and a note. */
async function newDonor({ email = `${randomUUID()}@example.org` as string | null } = {}) {
  const key = randomUUID().replaceAll('-', '').slice(0, 12);
  const id = `dnr_${key}`;
  await pool.query(
    `insert into donor (id, organization_id, email, first_name, last_name, source)
     values ($1, 'org_harbor', $2, 'Ada', $3, 'api')`,
    [id, email, key],
  );
  await pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, source, donor_name, donor_email, contact_id)
     values ($1, 'org_harbor', 2500, 'usd', 'api', 'Ada', $2, $3)`,
    [`don_${key}`, email, id],
  );
  await pool.query(
    `insert into recurring_plan (id, organization_id, amount_cents, currency, frequency, status, donor_name, donor_email,
       amounts, source, processor_subscription_id, processor_customer_id)
     values ($1, 'org_harbor', 1000, 'usd', 'monthly', 'active', 'Ada', $2, '100-100000', 'api', $3, $4)`,
    [`plan_${key}`, email, `sub_${key}`, `cus_${key}`],
  );
  await owner.post(`${DONORS}/${id}/notes`, { text: `Note ${key}` });
  return { id, key, email, path: `${DONORS}/${id}` };
}

const merge = (kept: { path: string }, merged: { id: string }) =>
  owner.post(`${kept.path}/merge/${merged.id}`, {});

const donorInApi = async (id: string) =>
  (await (await api.get(`/donors/${id}`, ['donors:read'])).json()) as Donor;

const found = async (q: string) => {
  const response = await api.get(`/donors?q=${encodeURIComponent(q)}`, ['donors:read']);
  return ((await response.json()) as List<Donor>).data.map(({ id }) => id);
};

const tableOf = (
  { document }: Awaited<ReturnType<typeof owner.open>>,
  label = 'What happens to each record',
) => readRows(document.querySelector(`[aria-label="${label}"]`)!);

describe('merging two donors', () => {
  test('shows the other donor and what happens to each record before', async () => {
    const [kept, merged] = [await newDonor(), await newDonor()];
    await pool.query(`update donor set phone = '555 0100', city = 'Bergen' where id = $1`, [
      merged.id,
    ]);
    const page = await owner.open(kept.path);
    assert.ok(textsOf(page.document, 'a').includes('Merge with another donor'));
    const choice = await owner.post(`${kept.path}/merge/search`, { q: merged.email! });
    assert.deepEqual(
      tableOf(choice, 'Other donors')
        .slice(1)
        .map(([name]) => name),
      [`Ada ${merged.key}`],
    );
    const preview = await owner.open(`${kept.path}/merge/${merged.id}`);
    assert.deepEqual(tableOf(preview), [
      ['Record', `Stays: Ada ${kept.key}`, `Merged: Ada ${merged.key}`, 'Afterwards'],
      ['Name', `Ada ${kept.key}`, `Ada ${merged.key}`, `Ada ${kept.key}`],
      ['Email', kept.email, merged.email, 'Both'],
      ['Phone', '–', '555 0100', '555 0100'],
      ['Address', '–', 'Bergen', 'Bergen'],
      ['Donations and their receipts', '1', '1', '2'],
      ['Recurring donations', '1', '1', '2'],
      ['Payments on their way or returned', '0', '0', '0'],
      ['Event registrations', '0', '0', '0'],
      ['Notes', '1', '1', '2'],
    ]);
    assert.equal((await donorOf(merged.id)).merged_into, null);
  });

  test('moves everything, and both ids and addresses lead to the donor who stays', async () => {
    const [kept, merged] = [await newDonor(), await newDonor()];
    const since = new Date('2020-05-01T12:00:00Z');
    await pool.query('update donor set created_at = $1 where id = $2', [since, merged.id]);
    const done = await merge(kept, merged);
    assert.match(done.text, /was merged into this donor/);
    assert.deepEqual((await donorOf(kept.id)).created_at, since);
    for (const key of [kept.key, merged.key]) {
      assert.ok(done.text.includes(`Note ${key}`));
      assert.ok(done.document.querySelector(`a[href$="/plans/plan_${key}"]`));
      assert.ok(done.document.querySelector(`a[href$="/donations/don_${key}"]`));
    }
    assert.match(done.text, new RegExp(`Merged by .*Ada ${merged.key}, ${merged.email}`));
    assert.ok(done.text.includes('$50.00'));
    assert.match((await owner.open(merged.path)).text, new RegExp(`Ada ${kept.key}`));
    assert.equal((await donorInApi(merged.id)).id, kept.id);
    assert.equal((await donorInApi(kept.id)).email, kept.email);
    for (const q of [kept.email!, merged.email!, merged.id])
      assert.deepEqual(await found(q), [kept.id]);
    const plan = await db
      .selectFrom('recurring_plan')
      .selectAll()
      .where('id', '=', `plan_${merged.key}`)
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(plan, {
      donor_email: merged.email,
      processor_customer_id: `cus_${merged.key}`,
    });
    await storeTotals(db);
    const from = new Date(0);
    assert.deepEqual(await compareTotals(db, 'org_harbor', { from, repair: false }), []);
    const [later] = await upsertDonor(db, 'org_harbor', {
      donor_email: merged.email!.toUpperCase(),
      donor_name: 'Somebody Else',
    }).execute();
    assert.equal(later!.id, kept.id);
  });

  test('keeps the ids of earlier merges, and gives a donor without an address the other one', async () => {
    const [first, second, third] = [
      await newDonor(),
      await newDonor(),
      await newDonor({ email: null }),
    ];
    await merge(second, first);
    await merge(third, second);
    assert.partialDeepStrictEqual(await donorInApi(first.id), {
      id: third.id,
      email: second.email,
      last_name: third.key,
    });
    assert.deepEqual(await found(first.email!), [third.id]);
  });

  test('a correction of the name leaves other addresses; one of the address makes it the first', async () => {
    const [kept, merged] = [await newDonor(), await newDonor()];
    await merge(kept, merged);
    await pool.query(`update recurring_plan set status = 'canceled', canceled_at = now()`);
    const addressesOf = async () =>
      (
        await db
          .selectFrom('donation')
          .select('donor_email')
          .where('contact_id', '=', kept.id)
          .orderBy('donor_email')
          .execute()
      ).map(({ donor_email }) => donor_email);
    const correct = (email: string | null) =>
      owner.post(`${kept.path}/correct`, { first_name: 'Eve', last_name: 'Fox', email: email! });
    assert.match((await correct(kept.email)).text, /Donor corrected/);
    assert.deepEqual(await addressesOf(), [kept.email, merged.email].sort());
    assert.match((await correct(merged.email)).text, /Donor corrected/);
    assert.deepEqual(await addressesOf(), [merged.email, merged.email]);
    assert.equal((await donorOf(kept.id)).email, merged.email);
    assert.equal((await donorOf(merged.id)).email, kept.email);
  });

  test('an erasure erases the merged donor, too', async () => {
    const [kept, merged] = [await newDonor(), await newDonor()];
    await merge(kept, merged);
    await pool.query(`update recurring_plan set status = 'canceled', canceled_at = now()`);
    // There is no Stripe account to erase from.
    await pool.query(`update organization set processor_account_id = null where id = 'org_harbor'`);
    await owner.post(`${kept.path}/erase`, { name: `Ada ${kept.key}`, except_at_stripe: 'on' });
    assert.ok((await donorOf(kept.id)).erased_at);
    assert.equal((await donorOf(merged.id)).email, null);
    const { rows } = await pool.query(
      `select donor_email from recurring_plan where id = $1
       union all select donor_email from donation where contact_id = $2
       union all select details::text from donor_change where donor_id = $2 and details <> '{}'
       union all select text from donor_note where donor_id = $2`,
      [`plan_${merged.key}`, kept.id],
    );
    assert.deepEqual(
      rows.map(({ donor_email }) => donor_email as unknown),
      [null, null, null, '{"kept_at_stripe": true}'],
    );
  });

  test('is refused for the same donor, an erased donor, and members who may not change donors', async () => {
    const [kept, merged] = [await newDonor(), await newDonor()];
    assert.equal((await merge(kept, kept)).status, 400);
    await pool.query(
      `update donor set email = null, first_name = null, last_name = null, erased_at = now() where id = $1`,
      [merged.id],
    );
    assert.equal((await merge(kept, merged)).status, 409);
    assert.equal((await merge(kept, { id: 'dnr_none' })).status, 404);
    const volunteer = api.visitor();
    await volunteer.openAs(VOLUNTEER, '/dashboard/org_harbor');
    assert.equal((await volunteer.open(`${kept.path}/merge`)).status, 403);
    const admin = api.visitor();
    await admin.openAs(ADMIN, '/dashboard/org_harbor');
    assert.equal((await admin.open(`${kept.path}/merge`)).status, 200);
  });
});
