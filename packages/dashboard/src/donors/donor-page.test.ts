import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { ConnectError } from '@connect-embed/contract';
import { ADMIN } from '@connect-embed/api/test-support/app/start-oauth';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { startEvents } from '@connect-embed/api/test-support/app/start-events';
import { textOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';
import { subscriptionHelpers } from '@connect-embed/api/test-support/donations/subscriptions';

const { api, owner, visitor, newEvent, newRegistration } = await startEvents({ sandbox: true });
const { createActive, donationsOf, rowOf, stripe, ON_ACCOUNT } = subscriptionHelpers(api);
const { db, pool } = api;
const HOME = '/dashboard/org_harbor';

const admin = visitor();
before(async () => void (await admin.openAs(ADMIN, HOME)));

const setPermissions = (...permissions: string[]) =>
  pool.query(
    `update membership set permissions = $2 where organization_id = 'org_harbor'
     and person_id = (select id from person where email = $1)`,
    [ADMIN, permissions],
  );

/** Creates a donor with a recurring donation and its first donation. */
async function newDonor() {
  const plan = await createActive({ donor_name: 'Ana Ruiz' });
  const [donation] = await donationsOf(plan.id);
  const path = `${HOME}/donors/${donation!.contact_id}`;
  return { plan, donation: donation!, email: plan.email, id: donation!.contact_id!, path };
}

const find = (table: 'donor' | 'donation', id: string) =>
  db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Waits until a transaction waits for a lock. */
const someoneWaits = () =>
  eventually(async () => {
    const waiting = `select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    return (await pool.query(waiting)).rows[0] as object | undefined;
  });

describe('the page of a donor', () => {
  test('shows recurring donations, registrations, receipts and history', async () => {
    const { path, email, donation } = await newDonor();
    const event = await newEvent({ title: 'Autumn supper' });
    await newRegistration(event, { attendee_email: email.toUpperCase() });
    const { text } = await owner.open(path);
    for (const part of ['Recurring donations', 'Autumn supper', 'Donor added', 'Email: receipt'])
      assert.ok(text.includes(part), part);
    assert.ok(text.includes(`${HOME}/donations/${donation.id}`));
  });

  test('says that older registrations are not shown', async () => {
    const { path, email } = await newDonor();
    const registration = await newRegistration(await newEvent(), { attendee_email: email });
    assert.doesNotMatch((await owner.open(path)).text, /newest 50/);
    await pool.query(
      `insert into registration (id, organization_id, event_id, attendee_email, status, source)
       select 'reg_old_' || n, organization_id, event_id, attendee_email, status, source
       from registration, generate_series(1, 50) as n where id = $1`,
      [registration.id],
    );
    assert.match((await owner.open(path)).text, /These are the newest 50/);
  });

  test('shows a member only what their permissions allow', async () => {
    const { path, email } = await newDonor();
    await newRegistration(await newEvent({ title: 'Spring supper' }), { attendee_email: email });
    await setPermissions('donors:read');
    const { document, status } = await admin.open(path);
    assert.equal(status, 200);
    const text = textOf(document, 'body')!;
    assert.doesNotMatch(text, /Recurring donations|Spring supper|Email: receipt|Donations/);
    assert.match(text, /Correct name or email/);
  });
});

describe('correcting a donor', () => {
  test('changes donations, the recurring donation and the customer, and is in the history', async () => {
    const { path, id, donation, plan } = await newDonor();
    const email = `${randomUUID()}@example.org`;
    const page = await owner.post(`${path}/correct`, {
      first_name: 'Anna',
      last_name: 'Ruiz',
      email,
    });
    assert.match(page.text, /Donor corrected/);
    const changes = textsOf(page.document, '.timeline li');
    assert.ok(changes.some((text) => /Corrected by.*“Ana Ruiz” to “Anna Ruiz”/.test(text)));
    assert.partialDeepStrictEqual(await find('donor', id), { first_name: 'Anna', email });
    const changed = { donor_name: 'Anna Ruiz', donor_email: email };
    assert.partialDeepStrictEqual(await find('donation', donation.id), changed);
    assert.partialDeepStrictEqual(await rowOf(email), changed);
    const customer = await stripe.customers.retrieve(plan.processor_customer_id, {}, ON_ACCOUNT);
    assert.partialDeepStrictEqual(customer, { name: 'Anna Ruiz', email });
  });

  test('changes a name that was typed with other spaces', async () => {
    const { path, donation, email } = await newDonor();
    await pool.query(`update donation set donor_name = ' Ana   Ruiz' where id = $1`, [donation.id]);
    await owner.post(`${path}/correct`, { first_name: 'Anna', last_name: 'Ruiz', email });
    assert.partialDeepStrictEqual(await find('donation', donation.id), { donor_name: 'Anna Ruiz' });
  });

  test('keeps the name of a donation that was made in another name', async () => {
    const { path, donation } = await newDonor();
    await db
      .updateTable('donation')
      .set({ donor_name: 'Ruiz family' })
      .where('id', '=', donation.id)
      .execute();
    const email = `${randomUUID()}@example.org`;
    await owner.post(`${path}/correct`, { first_name: 'Anna', last_name: 'Ruiz', email });
    assert.partialDeepStrictEqual(await find('donation', donation.id), {
      donor_name: 'Ruiz family',
      donor_email: email,
    });
  });

  test('rejects the address of another donor, links that donor and keeps the input', async () => {
    const [first, second] = [await newDonor(), await newDonor()];
    const fields = { first_name: 'Kept', last_name: 'Input', email: second.email.toUpperCase() };
    const page = await owner.post(`${first.path}/correct`, fields);
    assert.equal(page.status, 400);
    assert.match(page.text, /Belongs to another donor/);
    assert.ok(page.document.querySelector('[value="Kept"]'));
    assert.ok(page.document.querySelector(`a[href="${second.path}"]`));
    assert.equal(((await find('donor', first.id)) as { email: string }).email, first.email);
  });

  test('waits for a renewal that is being recorded', async () => {
    const { path, id, plan } = await newDonor();
    // A renewal locks the recurring donation first, and then the donor.
    const renewal = await pool.connect();
    await renewal.query('begin');
    await renewal.query('select id from recurring_plan where id = $1 for update', [plan.id]);
    const email = `${randomUUID()}@example.org`;
    const correction = owner.post(`${path}/correct`, { first_name: 'Anna', last_name: '', email });
    await someoneWaits();
    await renewal.query('update donor set updated_at = now() where id = $1', [id]);
    await renewal.query('commit');
    renewal.release();
    assert.match((await correction).text, /Donor corrected/);
  });

  test('keeps the input while Stripe cannot be reached', async () => {
    const { path, donation, email } = await newDonor();
    const { processor } = api.deps;
    const { updateCustomer } = processor;
    processor.updateCustomer = () =>
      Promise.reject(new ConnectError('unavailable', 'Stripe is down.'));
    const address = `${randomUUID()}@example.org`;
    const fields = { first_name: 'Kept', last_name: 'Input', email: address };
    const pages = [
      await owner.post(`${path}/correct`, fields),
      await owner.post(`${HOME}/donations/${donation.id}/receipt`, { email: address }),
    ];
    processor.updateCustomer = updateCustomer;
    for (const page of pages) {
      assert.equal(page.status, 400);
      assert.match(page.text, /card processor could not be reached/);
      assert.ok(page.document.querySelector(`[value="${address}"]`));
    }
    assert.ok(pages[0]!.document.querySelector('[value="Kept"]'));
    assert.partialDeepStrictEqual(await find('donation', donation.id), { donor_email: email });
  });

  test('rejects an invalid and an empty address', async () => {
    const { path } = await newDonor();
    for (const email of ['', 'nobody', `${'a'.repeat(250)}@example.org`]) {
      const page = await owner.post(`${path}/correct`, { first_name: 'A', last_name: 'B', email });
      assert.equal(page.status, 400, email);
      assert.ok(page.document.querySelector('#email-problem'));
    }
  });
});

describe('notes about a donor', () => {
  test('are added, edited and deleted by their author, as plain text', async () => {
    const { path } = await newDonor();
    const added = await owner.post(`${path}/notes`, { text: 'Likes <b>tea</b>\nand cake' });
    assert.match(added.text, /Likes &lt;b&gt;tea&lt;\/b&gt;\s+and cake/);
    const note = new RegExp(`${path}/notes/(dnt_\\w+)"`).exec(added.text)![1];
    const edited = await owner.post(`${path}/notes/${note}`, { text: 'Likes coffee' });
    assert.match(edited.text, /Likes coffee/);
    assert.match(edited.text, /edited/);
    assert.match((await owner.open(`${path}/notes/${note}/delete`)).text, /Likes coffee/);
    const deleted = await owner.post(`${path}/notes/${note}/delete`, {});
    assert.doesNotMatch(deleted.text, /Likes coffee/);
  });

  test('an admin can delete only their own, and an owner all', async () => {
    const { path } = await newDonor();
    await setPermissions('donors:read');
    const ofOwner = await owner.post(`${path}/notes`, { text: 'From the owner' });
    const note = new RegExp(`${path}/notes/(dnt_\\w+)"`).exec(ofOwner.text)![1];
    const page = await admin.post(`${path}/notes`, { text: 'From the admin' });
    assert.ok(!page.text.includes(`${path}/notes/${note}/delete`));
    assert.equal((await admin.post(`${path}/notes/${note}`, { text: 'Changed' })).status, 403);
    assert.equal((await admin.post(`${path}/notes/${note}/delete`, {})).status, 403);
    const ofAdmin = new RegExp(`${path}/notes/(dnt_\\w+)"`).exec(page.text)![1];
    const left = await owner.post(`${path}/notes/${ofAdmin}/delete`, {});
    assert.match(left.text, /From the owner/);
    assert.doesNotMatch(left.text, /From the admin/);
  });

  test('an empty or too long one is rejected and kept in the form', async () => {
    const { path } = await newDonor();
    assert.equal((await owner.post(`${path}/notes`, { text: '  ' })).status, 400);
    const long = await owner.post(`${path}/notes`, { text: 'n'.repeat(5001) });
    assert.equal(long.status, 400);
    assert.ok(long.text.includes('n'.repeat(5001)));
  });
});

describe('sending a receipt again', () => {
  const receiptsOf = (donationId: string) =>
    db
      .selectFrom('mail')
      .select('id')
      .where('kind', '=', 'receipt')
      .where('donation_id', '=', donationId)
      .execute();

  test('queues it and is in the history of the donor', async () => {
    const { path, donation, email } = await newDonor();
    const page = await owner.open(`${HOME}/donations/${donation.id}`);
    assert.match(page.text, /Send receipt again/);
    const receipt = `${HOME}/donations/${donation.id}/receipt`;
    const sent = await owner.post(receipt, { email });
    assert.match(sent.text, /receipt will be sent/);
    assert.equal((await receiptsOf(donation.id)).length, 2);
    assert.match((await owner.open(path)).text, /Receipt requested again by/);
  });

  test('to another address corrects the donor', async () => {
    const { id, donation } = await newDonor();
    const email = `${randomUUID()}@example.org`;
    await owner.post(`${HOME}/donations/${donation.id}/receipt`, { email });
    assert.partialDeepStrictEqual(await find('donor', id), { email });
    assert.partialDeepStrictEqual(await find('donation', donation.id), { donor_email: email });
  });

  test('of a donation without an address adds the donor', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name)
       values ('don_mute', 'org_harbor', 700, 'usd', 'api', 'Mute Swan')`,
    );
    const email = `${randomUUID()}@example.org`;
    await owner.post(`${HOME}/donations/don_mute/receipt`, { email });
    const donation = (await find('donation', 'don_mute')) as { contact_id: string };
    assert.partialDeepStrictEqual(await find('donor', donation.contact_id), {
      first_name: 'Mute',
      email,
    });
  });

  test('asks before it adds a donation to the donor who has the address', async () => {
    const { id, email } = await newDonor();
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name)
       values ('don_other', 'org_harbor', 700, 'usd', 'api', 'Mute Swan')`,
    );
    const receipt = `${HOME}/donations/don_other/receipt`;
    const asked = await owner.post(receipt, { email: email.toUpperCase() });
    assert.equal(asked.status, 400);
    assert.match(asked.text, /Add to Ana Ruiz and send/);
    assert.partialDeepStrictEqual(await find('donation', 'don_other'), { contact_id: null });
    const sent = await owner.post(receipt, { email, donor: id });
    assert.match(sent.text, /receipt will be sent/);
    assert.partialDeepStrictEqual(await find('donation', 'don_other'), { contact_id: id });
  });

  test('waits for a correction that is being saved', async () => {
    const { id, donation, email } = await newDonor();
    // A correction locks the donor first, and then the donation.
    const correction = await pool.connect();
    await correction.query('begin');
    await correction.query('select id from donor where id = $1 for update', [id]);
    const receipt = owner.post(`${HOME}/donations/${donation.id}/receipt`, { email });
    await someoneWaits();
    await correction.query('update donation set source = source where id = $1', [donation.id]);
    await correction.query('commit');
    correction.release();
    assert.match((await receipt).text, /receipt will be sent/);
  });

  test('is limited to five in a day, and refused for a refunded donation', async () => {
    const { donation, email } = await newDonor();
    const receipt = `${HOME}/donations/${donation.id}/receipt`;
    for (let sent = 0; sent < 4; sent += 1) await owner.post(receipt, { email });
    const refused = await owner.post(receipt, { email });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /already sent 5 times/);
    assert.equal((await receiptsOf(donation.id)).length, 5);
    const other = await owner.post(receipt, { email: `${randomUUID()}@example.org` });
    assert.match(other.text, /already sent 5 times/);
    assert.partialDeepStrictEqual(await find('donation', donation.id), { donor_email: email });
    await pool.query(
      `update donation set refund_status = 'full', refunded_amount_cents = amount_cents where id = $1`,
      [donation.id],
    );
    assert.equal((await owner.post(receipt, { email })).status, 409);
  });

  test('needs donations:read, and donors:read for another address', async () => {
    const { donation, email } = await newDonor();
    const receipt = `${HOME}/donations/${donation.id}/receipt`;
    await setPermissions('donors:read');
    assert.equal((await admin.post(receipt, { email })).status, 403);
    await setPermissions('donations:read');
    assert.equal((await admin.post(receipt, { email: 'other@example.org' })).status, 403);
    assert.match((await admin.post(receipt, { email })).text, /receipt will be sent/);
  });

  test('of a donation without a donor needs donors:read', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name)
       values ('don_alone', 'org_harbor', 700, 'usd', 'api', 'Mute Swan')`,
    );
    const { email } = await newDonor();
    await setPermissions('donations:read');
    const page = await admin.post(`${HOME}/donations/don_alone/receipt`, { email });
    assert.equal(page.status, 403);
    assert.partialDeepStrictEqual(await find('donation', 'don_alone'), { contact_id: null });
  });

  test('is not offered without a mail server', async () => {
    const { donation, email } = await newDonor();
    // The pages have the same object.
    const { mailConfig } = api.deps;
    const saved = { ...mailConfig };
    Object.assign(mailConfig, { smtpUrl: undefined, mailbox: false });
    const page = await owner.open(`${HOME}/donations/${donation.id}`);
    const refused = await owner.post(`${HOME}/donations/${donation.id}/receipt`, { email });
    Object.assign(mailConfig, saved);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /Send receipt again/);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /No mail server/);
  });

  test('is not offered for a donor whose data was erased', async () => {
    const { path, donation } = await newDonor();
    await owner.post(`${path}/erase`, { name: 'Ana Ruiz' });
    const page = await owner.open(`${HOME}/donations/${donation.id}`);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /Send receipt again/);
    assert.equal((await owner.open(`${HOME}/donations/${donation.id}/receipt`)).status, 409);
  });
});
