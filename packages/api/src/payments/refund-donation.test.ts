import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectError, ALL_SCOPES } from '@connect-embed/contract';
import { sql } from 'kysely';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { refundRegistration } from '../resources/events/refund-registration.ts';
import { newId } from '../lib/id.ts';
import { DEMO_PEOPLE } from '../users/demo-people.ts';
import { heldScopes } from '../users/membership.ts';
import type { Role } from '../users/roles.ts';
import { refundDonation } from './refund-donation.ts';
import { completeRefundRequest, type RefundInput } from './refund-requests.ts';

const sandboxApi = await startManualEventsSandbox();
const OWNER = DEMO_PEOPLE[0].email;
const { deps, stripe, payDonation, deliverEventsOf, donationOf, webhookEventTypes, sandbox, db } =
  sandboxApi;

const member = (role: Role, organizationId = 'org_harbor') => ({
  organizationId,
  organizationName: 'Harbor Street Food Bank',
  timeZone: 'UTC',
  role,
  permissions: heldScopes(role, ALL_SCOPES),
  personId: 'usr_1',
});

const refundInput = (
  donationId: string,
  amountCents: number,
  refundedBeforeCents = 0,
): RefundInput => ({
  donationId,
  amountCents,
  reason: 'requested_by_customer',
  note: null,
  refundedBeforeCents,
});

async function donate(fields: object = {}, card?: string) {
  const intent = await payDonation(fields, card);
  await deliverEventsOf(intent);
  const { id } = await donationOf(intent);
  return { intent, id };
}

const refundsAt = async (payment_intent: string) =>
  (await stripe.refunds.list({ payment_intent, limit: 100 }, ACCOUNT)).data;

/** Simulates a crash before the refund was saved, with no event delivered. */
async function forget(id: string) {
  await db
    .updateTable('refund')
    .set({ processor_refund_id: null, status: 'requested' })
    .where('donation_id', '=', id)
    .execute();
  await db
    .updateTable('donation')
    .set({ refunded_amount_cents: 0, refund_status: 'none' })
    .where('id', '=', id)
    .execute();
}

const rejectsWith = (type: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ConnectError, String(error));
  assert.equal(error.type, type);
  assert.match(error.message, message);
  return true;
};

describe('refund of a donation', () => {
  test('requires two-step sign-in if the organization does, as does that of a registration', async () => {
    const { intent, id } = await donate({ amount_cents: 2000 });
    const { id: personId } = await db
      .selectFrom('person')
      .select('id')
      .where('email', '=', OWNER)
      .executeTakeFirstOrThrow();
    const require = (require_second_factor: boolean) =>
      db
        .updateTable('organization')
        .set({ require_second_factor })
        .where('id', '=', 'org_harbor')
        .execute();
    const setTwoFactor = (two_factor_enabled: boolean) =>
      db.updateTable('person').set({ two_factor_enabled }).where('id', '=', personId).execute();
    const owner = { ...member('owner'), personId };
    await require(true);
    const refused = rejectsWith('forbidden', /requires two-step sign-in/);
    await assert.rejects(refundDonation(deps, owner, refundInput(id, 500)), refused);
    const registration = { organizationId: 'org_harbor', eventId: 'evt_1', id: 'reg_1' };
    const registry = { db, enqueue: deps.webhooks.enqueue, processor: deps.processor };
    await assert.rejects(refundRegistration(registry, registration, personId), refused);
    assert.deepEqual(await refundsAt(intent), []);
    await setTwoFactor(true);
    await refundDonation(deps, owner, refundInput(id, 500));
    assert.equal((await refundsAt(intent)).length, 1);
    await setTwoFactor(false);
    await require(false);
  });

  test('in two parts shows at once and sends one webhook event for each', async () => {
    const { intent, id } = await donate({ amount_cents: 2000 });
    await refundDonation(deps, member('owner'), refundInput(id, 500));
    assert.partialDeepStrictEqual(await donationOf(intent), {
      refund_status: 'partial',
      refunded_amount_cents: 500,
    });
    await refundDonation(deps, member('admin'), refundInput(id, 1500, 500));
    assert.equal((await donationOf(intent)).refund_status, 'full');
    await deliverEventsOf(intent);
    assert.deepEqual(await webhookEventTypes(id), [
      'donation.created',
      'donation.refunded',
      'donation.refunded',
    ]);
    const [latest] = await refundsAt(intent);
    assert.equal(latest?.metadata?.['donation_id'], id);
  });

  for (const name of ['server_error', 'server_error_after']) {
    test(`is created once if Stripe replays a failure: ${name}`, async () => {
      const { intent, id } = await donate();
      await sandbox('/faults', { name, count: 1, path: '/v1/refunds' });
      const refund = await refundDonation(deps, member('owner'), refundInput(id, 700));
      assert.deepEqual(
        (await refundsAt(intent)).map(({ id, amount }) => [id, amount]),
        [[refund.id, 700]],
      );
    });
  }

  test('is created once for ten concurrent requests', async () => {
    const { intent, id } = await donate();
    const requests = Array.from({ length: 10 }, () =>
      refundDonation(deps, member('owner'), refundInput(id, 700)),
    );
    const results = await Promise.allSettled(requests);
    assert.ok(results.some(({ status }) => status === 'fulfilled'));
    const repeated = await refundDonation(deps, member('owner'), refundInput(id, 700));
    assert.deepEqual(
      (await refundsAt(intent)).map(({ id, amount }) => [id, amount]),
      [[repeated.id, 700]],
    );
  });

  test('is created once if it is requested again after a crash lost the response', async () => {
    const { intent, id } = await donate();
    await refundDonation(deps, member('owner'), refundInput(id, 700));
    await forget(id);
    await refundDonation(deps, member('owner'), refundInput(id, 700));
    assert.equal((await refundsAt(intent)).length, 1);
    assert.equal((await donationOf(intent)).refunded_amount_cents, 700);
  });

  test('is not requested again from Stripe when Stripe may have forgotten the first request', async (t) => {
    const { intent, id } = await donate();
    const owner = member('owner');
    const refund = await refundDonation(deps, owner, refundInput(id, 700));
    await forget(id);
    await sql`update refund set created_at = now() - interval '2 days'`.execute(db);
    const createRefund = t.mock.method(deps.processor, 'createRefund');
    assert.equal((await refundDonation(deps, owner, refundInput(id, 700))).id, refund.id);
    assert.equal(createRefund.mock.callCount(), 0);
    assert.equal((await refundsAt(intent)).length, 1);
  });

  test('whose request was rejected in another process counts, by its event or its response', async () => {
    for (const finish of ['event', 'response'] as const) {
      const { intent, id } = await donate();
      const refund = await refundDonation(deps, member('owner'), refundInput(id, 500));
      await forget(id);
      const { idempotency_key, ...request } = await db
        .updateTable('refund')
        .set({ status: 'failed', failure_reason: 'it is disputed' })
        .where('donation_id', '=', id)
        .returning(['id', 'idempotency_key'])
        .executeTakeFirstOrThrow();
      if (finish === 'response') {
        const donation = { id, organization_id: 'org_harbor' };
        await completeRefundRequest(db, donation, idempotency_key!, refund.id);
      }
      await deliverEventsOf(intent);
      const rows = await db
        .selectFrom('refund')
        .select(['id', 'processor_refund_id', 'status', 'failure_reason'])
        .where('donation_id', '=', id)
        .execute();
      const expected = {
        processor_refund_id: refund.id,
        status: 'succeeded',
        failure_reason: null,
      };
      assert.deepEqual(rows, [{ ...request, ...expected }]);
      assert.equal((await donationOf(intent)).refunded_amount_cents, 500);
    }
  });

  test('has one row, even if a crash lost the response and its event is faster', async () => {
    const { intent, id } = await donate();
    const owner = member('owner');
    const refund = await refundDonation(deps, owner, refundInput(id, 500));
    await forget(id);
    await deliverEventsOf(intent);
    const rowsOf = () =>
      db
        .selectFrom('refund')
        .selectAll()
        .where('donation_id', '=', id)
        .orderBy('amount_cents', 'desc')
        .execute();
    const rows = await rowsOf();
    assert.deepEqual(
      rows.map((row) => [row.processor_refund_id, row.status, row.requested_by]),
      [[refund.id, 'succeeded', 'usr_1']],
    );
    assert.equal((await refundDonation(deps, member('admin'), refundInput(id, 500))).id, refund.id);
    await refundDonation(deps, owner, refundInput(id, 300, 500));
    await stripe.refunds.create({ payment_intent: intent, amount: 100 }, ACCOUNT);
    await deliverEventsOf(intent);
    assert.deepEqual(
      (await rowsOf()).map((row) => [row.amount_cents, row.idempotency_key === null]),
      [
        [500, false],
        [300, false],
        [100, true],
      ],
    );
    assert.deepEqual((await webhookEventTypes(id)).slice(-3), Array(3).fill('donation.refunded'));
  });

  test('whose failure was fetched before its response is a new refund when requested again', async () => {
    const { intent, id } = await donate({ amount_cents: 3000 }, 'pm_card_refundFail');
    const owner = member('owner');
    const failed = await refundDonation(deps, owner, refundInput(id, 3000));
    await forget(id);
    await stripe.refunds.update(failed.id, { metadata: '' }, ACCOUNT);
    await sandbox('/clock', { seconds: 2 * 3600 });
    await deliverEventsOf(intent);
    const statuses = async () =>
      (await db.selectFrom('refund').selectAll().where('donation_id', '=', id).execute())
        .map((row) => `${row.processor_refund_id} ${row.status}`)
        .toSorted();
    assert.deepEqual(await statuses(), ['null requested', `${failed.id} failed`]);
    // Stripe replays its response.
    assert.equal((await refundDonation(deps, owner, refundInput(id, 3000))).id, failed.id);
    assert.deepEqual(await statuses(), [`${failed.id} failed`]);
    const again = await refundDonation(deps, owner, refundInput(id, 3000));
    assert.notEqual(again.id, failed.id);
    assert.equal((await donationOf(intent)).refund_status, 'full');
  });

  test('that Stripe rejects has failed, with the reason', async () => {
    const { intent, id } = await donate();
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intent, {}, ACCOUNT);
    await sandbox('/disputes', { charge });
    await assert.rejects(refundDonation(deps, member('owner'), refundInput(id, 500)));
    const { status, failure_reason } = await db
      .selectFrom('refund')
      .selectAll()
      .where('donation_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'failed');
    assert.match(failure_reason!, /it is disputed/);
  });

  test('is created once even if a different refund request was rejected in between', async () => {
    const { intent, id } = await donate();
    const owner = member('owner');
    await refundDonation(deps, owner, refundInput(id, 500));
    await forget(id);
    await db
      .insertInto('refund')
      .values({
        ...{ id: newId('ref'), organization_id: 'org_harbor', donation_id: id, amount_cents: 1000 },
        ...{ refunded_before_cents: 0, status: 'failed' },
        idempotency_key: `${id} 0 1000 0`,
      })
      .execute();
    await refundDonation(deps, owner, refundInput(id, 500));
    assert.equal((await refundsAt(intent)).length, 1);
  });

  test('is checked against the outcome of a different request, whether it is known or not', async () => {
    const { intent, id } = await donate();
    const owner = member('owner');
    await refundDonation(deps, owner, refundInput(id, 500));
    await forget(id);
    // Without this metadata the fetched refund cannot be matched with its request.
    const [created] = await refundsAt(intent);
    await stripe.refunds.update(created!.id, { metadata: '' }, ACCOUNT);
    const refused = rejectsWith('conflict', /refunded amount has changed/);
    await assert.rejects(refundDonation(deps, owner, refundInput(id, 300)), refused);
    assert.equal((await refundsAt(intent)).length, 1);
    const inProgress = rejectsWith('conflict', /another refund is in progress/);
    await assert.rejects(refundDonation(deps, owner, refundInput(id, 300, 500)), inProgress);
    await sql`update refund set created_at = now() - interval '2 minutes'`.execute(db);
    await refundDonation(deps, owner, refundInput(id, 300, 500));
    assert.equal((await donationOf(intent)).refunded_amount_cents, 800);
  });

  test('is created once for concurrent requests of different amounts', async () => {
    const { intent, id } = await donate();
    const requests = [500, 300, 400].map((cents) =>
      refundDonation(deps, member('owner'), refundInput(id, cents)),
    );
    const results = await Promise.allSettled(requests);
    const refunds = results.filter(({ status }) => status === 'fulfilled');
    assert.equal(refunds.length, 1, results.map((each) => JSON.stringify(each)).join());
    assert.equal((await refundsAt(intent)).length, 1);
  });

  test('can be created again after it failed at the donor’s bank', async () => {
    const { intent, id } = await donate({ amount_cents: 3000 }, 'pm_card_refundFail');
    const owner = member('owner');
    const failed = await refundDonation(deps, owner, refundInput(id, 3000));
    await sandbox('/clock', { advance: 'week' });
    await deliverEventsOf(intent);
    assert.equal((await donationOf(intent)).refund_status, 'none');
    const repeated = await refundDonation(deps, owner, refundInput(id, 3000));
    assert.notEqual(repeated.id, failed.id);
    assert.equal((await donationOf(intent)).refund_status, 'full');
    // The same request again returns that second refund.
    assert.equal((await refundDonation(deps, owner, refundInput(id, 3000))).id, repeated.id);
    assert.equal((await refundsAt(intent)).length, 2);
  });

  test('is rejected for a wrong amount, role, organization or outdated page', async () => {
    const { intent, id } = await donate({ amount_cents: 2000 });
    const owner = member('owner');
    await assert.rejects(
      refundDonation(deps, owner, refundInput(id, 2001)),
      rejectsWith('invalid_request', /^amount_cents must not be greater than the amount left/),
    );
    await assert.rejects(
      refundDonation(deps, owner, refundInput(id, 0)),
      rejectsWith('invalid_request', /^amount_cents/),
    );
    await assert.rejects(
      refundDonation(deps, member('member'), refundInput(id, 500)),
      rejectsWith('forbidden', /owners and admins/),
    );
    await assert.rejects(
      refundDonation(deps, member('owner', 'org_lantern'), refundInput(id, 500)),
      rejectsWith('not_found', /No donation/),
    );
    await refundDonation(deps, owner, refundInput(id, 500));
    await assert.rejects(
      refundDonation(deps, owner, refundInput(id, 600)),
      rejectsWith('conflict', /refunded amount has changed/),
    );
    assert.equal((await refundsAt(intent)).length, 1);
  });

  test('is rejected during a dispute, by us and by Stripe', async () => {
    const { intent, id } = await donate({ amount_cents: 2000 });
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intent, {}, ACCOUNT);
    const { id: dispute } = await sandbox('/disputes', { charge });
    // No event was delivered, so only Stripe knows about the dispute.
    const refused = rejectsWith('conflict', /^This donation cannot be refunded: /);
    await assert.rejects(refundDonation(deps, member('owner'), refundInput(id, 500)), refused);
    await deliverEventsOf(intent);
    await assert.rejects(refundDonation(deps, member('owner'), refundInput(id, 500)), refused);
    await sandbox('/disputes/close', { dispute, outcome: 'lost' });
    await deliverEventsOf(intent);
    const disputeLost = rejectsWith('conflict', /already got the money back/);
    await assert.rejects(refundDonation(deps, member('owner'), refundInput(id, 500)), disputeLost);
    assert.deepEqual(await refundsAt(intent), []);
  });

  test('is rejected for a donation that was not paid through Stripe here', async () => {
    const seeded = await db
      .selectFrom('donation')
      .select('id')
      .where('organization_id', '=', 'org_harbor')
      .where('processor_payment_intent_id', 'is', null)
      .where('refund_status', '=', 'none')
      .executeTakeFirstOrThrow();
    await assert.rejects(
      refundDonation(deps, member('owner'), refundInput(seeded.id, 500)),
      rejectsWith('conflict', /not paid through this service/),
    );
  });
});
