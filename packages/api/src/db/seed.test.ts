import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  DISPUTE_STATUSES,
  EVENT_FORMATS,
  FUND_TYPES,
  PAYOUT_STATUSES,
  PRICING_MODES,
  REFUND_STATUSES,
  REGISTRATION_STATUSES,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { openDatabase } from './database.ts';
import { seedIfEmpty, seedPayments } from './seed.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(async () => {
  await close();
  await drop();
});

const now = new Date();
assert.equal(await seedIfEmpty(db, now), true);

const donations = await db
  .selectFrom('donation')
  .selectAll()
  .where('organization_id', '=', 'org_harbor')
  .execute();
const donors = await db.selectFrom('donor').selectAll().execute();
const payouts = await db.selectFrom('payout').selectAll().execute();

const ofHarbor = sql<boolean>`organization_id = 'org_harbor'`;
const events = await db.selectFrom('event').selectAll().where(ofHarbor).execute();
const registrations = await db.selectFrom('registration').selectAll().where(ofHarbor).execute();
const funds = await db.selectFrom('fund').selectAll().where(ofHarbor).execute();

describe('the seeded data', () => {
  test('is written once', async () => {
    assert.equal(await seedIfEmpty(db, now), false);
  });

  test('covers eighteen months of donations up to today', () => {
    const ages = donations.map(
      ({ created_at }) => (now.getTime() - created_at.getTime()) / 86_400_000,
    );
    assert.ok(donations.length >= 400 && donations.length <= 900, String(donations.length));
    assert.ok(Math.min(...ages) > 0 && Math.min(...ages) < 2);
    assert.ok(Math.max(...ages) > 480 && Math.max(...ages) < 560);
  });

  test('of a demo includes payments on their way, a returned one, refunds and disputes', async () => {
    await seedPayments(db, now);
    const payments = await db.selectFrom('payment_intent').selectAll().execute();
    const count = (status: string) => payments.filter((row) => row.status === status).length;
    assert.deepEqual([count('processing'), count('failed')], [3, 1]);
    assert.equal(new Set(payments.flatMap(({ reference }) => reference ?? [])).size, 4);
    assert.ok(payments.every(({ donor_name, donor_email }) => donor_name && donor_email));
    const refunds = await db.selectFrom('refund').selectAll().execute();
    const disputes = await db.selectFrom('donation_dispute').selectAll().execute();
    const refunded = donations.filter(({ refund_status }) => refund_status !== 'none');
    const refundedIds = new Set(refunds.map(({ donation_id }) => donation_id));
    assert.ok(refunded.every(({ id }) => refundedIds.has(id)));
    assert.deepEqual(
      new Set(disputes.map(({ status }) => status)),
      new Set(['open', 'won', 'lost']),
    );
  });

  test('has every status', () => {
    const assertIncludes = (values: string[], expectedValues: readonly string[]) =>
      assert.deepEqual(new Set(values), new Set(expectedValues));
    assertIncludes(
      donations.map(({ refund_status }) => refund_status),
      REFUND_STATUSES,
    );
    assertIncludes(
      donations.map(({ dispute_status }) => dispute_status),
      DISPUTE_STATUSES,
    );
    assertIncludes(
      payouts.map(({ status }) => status),
      PAYOUT_STATUSES,
    );
    assertIncludes(
      events.map(({ event_format }) => event_format),
      EVENT_FORMATS,
    );
    assertIncludes(
      events.map(({ pricing_mode }) => pricing_mode),
      PRICING_MODES,
    );
    assertIncludes(
      registrations.map(({ status }) => status),
      REGISTRATION_STATUSES,
    );
    assertIncludes(
      funds.map(({ type }) => type),
      FUND_TYPES,
    );
    assert.ok(donations.some(({ recurring }) => recurring));
    assert.ok(donations.some(({ campaign_id }) => campaign_id));
  });

  test('is consistent: refunds, net amounts, and donors as old as their first donation', () => {
    for (const donation of donations) {
      const { amount_cents, fee_cents, refunded_amount_cents: refunded } = donation;
      const disputed = donation.disputed_amount_cents;
      assert.equal(donation.net_amount_cents, amount_cents - fee_cents! - refunded - disputed);
      assert.equal(disputed > 0, ['open', 'lost'].includes(donation.dispute_status));
      const status = refunded === 0 ? 'none' : refunded === amount_cents ? 'full' : 'partial';
      assert.equal(donation.refund_status, status);
      const donor = donors.find(({ id }) => id === donation.contact_id);
      assert.equal(donor?.email, donation.donor_email);
      assert.ok(donor.created_at <= donation.created_at);
    }
  });

  test('has payouts whose entries add up to their amount', async () => {
    const entries = await db.selectFrom('balance_transaction').selectAll().execute();
    for (const { id, amount_cents, status } of payouts) {
      const ofPayout = entries.filter(({ payout_id }) => payout_id === id);
      const sum = ofPayout.reduce(
        (total, entry) => total + entry.amount_cents - entry.fee_cents,
        0,
      );
      assert.equal(sum, amount_cents);
      const isPaying = status !== 'failed' && status !== 'canceled';
      assert.ok(isPaying || donations.every(({ payout_id }) => payout_id !== id));
    }
  });

  test('has disputes that were booked when they began, and open ones that can be answered', async () => {
    const disputes = await db
      .selectFrom('donation_dispute as dispute')
      .leftJoin('balance_transaction as booked', (join) =>
        join
          .onRef('booked.donation_id', '=', 'dispute.donation_id')
          .on('booked.reporting_category', '=', 'dispute'),
      )
      .select(['dispute.status', 'dispute.evidence_due_at'])
      .select(['dispute.created_at', 'booked.created_at as booked_at'])
      .execute();
    assert.ok(disputes.some(({ status }) => status === 'open'));
    for (const { status, evidence_due_at, created_at, booked_at } of disputes) {
      if (status === 'open') assert.ok(evidence_due_at! > now);
      if (booked_at) assert.deepEqual(booked_at, created_at);
    }
    assert.ok(disputes.some(({ booked_at }) => booked_at));
  });

  test('has past, upcoming and draft events', () => {
    assert.ok(events.some(({ starts_at, published }) => published && starts_at < now));
    assert.ok(events.some(({ starts_at, published }) => published && starts_at > now));
    assert.ok(events.some(({ published, cancelled_at }) => !published && !cancelled_at));
  });

  test('has a cancelled event with refunds still to do, and an archived fund', () => {
    const cancelledEvent = events.find(({ cancelled_at }) => cancelled_at)!;
    assert.equal(cancelledEvent.published, false);
    const registrationsOfEvent = registrations.filter(
      ({ event_id }) => event_id === cancelledEvent.id,
    );
    for (const status of ['cancelled', 'refunded', 'confirmed']) {
      assert.ok(
        registrationsOfEvent.some((row) => row.status === status),
        status,
      );
    }
    assert.ok(
      registrationsOfEvent.every((row) => row.status !== 'confirmed' || row.amount_paid_cents > 0),
    );
    assert.ok(funds.some(({ archived_at, published }) => archived_at && !published));
  });

  test('has no registration, check-in or refund before it was possible', () => {
    for (const row of registrations) {
      const event = events.find(({ id }) => id === row.event_id)!;
      assert.ok(row.created_at > event.created_at && row.created_at < now, row.id);
      assert.ok(row.created_at < event.starts_at);
      assert.ok(!row.refunded_at || (row.refunded_at >= row.created_at && row.refunded_at <= now));
      assert.ok(!row.checked_in_at || event.starts_at < now);
      assert.equal(row.quantity, row.attendee_names.length);
      assert.ok(row.status === 'refunded' || row.refunded_cents === 0);
    }
  });

  test('contains no real email address or phone number', () => {
    for (const { email, phone } of donors) {
      assert.match(email ?? '', /^[a-z]+\.[a-z]+\d+@example\.(com|org|net)$/);
      assert.match(phone ?? '+1 207 555 0100', /^\+1 207 555 01\d\d$/);
    }
  });
});
