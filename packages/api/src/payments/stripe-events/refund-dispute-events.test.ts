import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { permutations } from '../../../test-support/inputs/permutations.ts';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';
import { IS_RECENT } from '../../mail/queue.ts';
import { removeExpired } from '../../process/remove-expired.ts';
import { HANDLERS } from './handlers.ts';

const sandboxApi = await startManualEventsSandbox();
const {
  stripe,
  payDonation,
  eventsOf,
  deliverEvent,
  deliverEventsOf,
  donationOf,
  webhookEventTypes,
  sandbox,
  db,
} = sandboxApi;

const refund = (payment_intent: string, amount?: number) =>
  stripe.refunds.create({ payment_intent, ...(amount && { amount }) }, ACCOUNT);

const chargeOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).latest_charge as string;

/** Pays a donation in euros, and returns the id of its payment intent. */
async function payForeignDonation(amount_cents: number): Promise<string> {
  await db
    .updateTable('organization')
    .set({ currency: 'eur' })
    .where('id', '=', 'org_harbor')
    .execute();
  const id = await payDonation({ amount_cents });
  await db
    .updateTable('organization')
    .set({ currency: 'usd' })
    .where('id', '=', 'org_harbor')
    .execute();
  return id;
}

/** Returns the columns of a donation that these tests compare. */
async function stateOf(id: string) {
  const row = await donationOf(id);
  return {
    refund_status: row.refund_status,
    refunded_amount_cents: row.refunded_amount_cents,
    dispute_status: row.dispute_status,
    fee_cents: row.fee_cents,
    net_amount_cents: row.net_amount_cents,
  };
}

/**
 * Returns the net amount of a payment according to the account's balance transactions at Stripe.
 */
async function netAt(id: string): Promise<number> {
  const charge = await chargeOf(id);
  const refunds = await stripe.refunds.list({ charge, limit: 100 }, ACCOUNT);
  const disputes = await stripe.disputes.list({ charge, limit: 100 }, ACCOUNT);
  const sources = [charge, ...refunds.data.map((each) => each.id)];
  const lists = await Promise.all(
    [...sources, ...disputes.data.map((each) => each.id)].map((source) =>
      stripe.balanceTransactions.list({ source, limit: 100 }, ACCOUNT),
    ),
  );
  return lists.flatMap(({ data }) => data).reduce((sum, { net }) => sum + net, 0);
}

/** Deletes a donation and all events, as if nothing had been received. */
async function forget(id: string): Promise<void> {
  await db.deleteFrom('processor_event').execute();
  await db.deleteFrom('webhook_event').execute();
  await db.deleteFrom('donation').where('processor_payment_intent_id', '=', id).execute();
}

describe('a refund', () => {
  test('in part, then in full, updates the donation', async () => {
    const id = await payDonation({ amount_cents: 2000 });
    await deliverEventsOf(id);
    await refund(id, 500);
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await stateOf(id), {
      refund_status: 'partial',
      refunded_amount_cents: 500,
      net_amount_cents: await netAt(id),
    });
    await refund(id);
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await stateOf(id), {
      refund_status: 'full',
      refunded_amount_cents: 2000,
      net_amount_cents: await netAt(id),
    });
    const { id: donation } = await donationOf(id);
    assert.deepEqual(await webhookEventTypes(donation), [
      'donation.created',
      'donation.refunded',
      'donation.refunded',
    ]);
  });

  test("whose event arrives before the payment's event records both", async () => {
    const id = await payDonation();
    await refund(id, 700);
    const events = await eventsOf(id);
    const first = events.find(({ type }) => type === 'refund.created');
    assert.equal(await deliverEvent(first!), 'recorded');
    assert.equal((await stateOf(id)).refunded_amount_cents, 700);
    const paid = events.find(({ type }) => type === 'payment_intent.succeeded');
    assert.equal(await deliverEvent(paid!), 'duplicate');
    const { id: donation } = await donationOf(id);
    assert.deepEqual(await webhookEventTypes(donation), ['donation.created', 'donation.refunded']);
  });

  test('that fails no longer counts as refunded', async () => {
    const id = await payDonation({ amount_cents: 3000 }, 'pm_card_refundFail');
    await deliverEventsOf(id);
    const net = (await stateOf(id)).net_amount_cents;
    await refund(id);
    await deliverEventsOf(id);
    await sandbox('/clock', { advance: 'week' });
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await stateOf(id), {
      refund_status: 'none',
      refunded_amount_cents: 0,
      net_amount_cents: net,
    });
    const rows = await db.selectFrom('refund').selectAll().execute();
    assert.equal(rows.at(-1)?.status, 'failed');
  });
});

describe('a dispute', () => {
  for (const outcome of ['won', 'lost'] as const) {
    test(`that is ${outcome} updates the donation`, async () => {
      const id = await payDonation({ amount_cents: 4000 });
      await deliverEventsOf(id);
      const { id: dispute } = await sandbox('/disputes', { charge: await chargeOf(id) });
      await deliverEventsOf(id);
      const open = await stateOf(id);
      assert.equal(open.dispute_status, 'open');
      assert.equal(open.net_amount_cents, await netAt(id));
      await sandbox('/disputes/close', { dispute, outcome });
      await deliverEventsOf(id);
      const closed = await stateOf(id);
      assert.equal(closed.dispute_status, outcome);
      assert.equal(closed.net_amount_cents, await netAt(id));
      const { id: donation } = await donationOf(id);
      assert.deepEqual(await webhookEventTypes(donation), [
        'donation.created',
        'donation.disputed',
        'donation.disputed',
      ]);
    });
  }

  test('that is only an inquiry withdraws no money', async () => {
    const id = await payDonation();
    await deliverEventsOf(id);
    const { net_amount_cents } = await stateOf(id);
    await sandbox('/disputes', { charge: await chargeOf(id), inquiry: true });
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await stateOf(id), { dispute_status: 'open', net_amount_cents });
  });
});

describe('the receipt that could not be sent, because nothing was left of the donation', () => {
  const receiptsOf = async (id: string) => {
    const mails = db.selectFrom('mail').where('donation_id', '=', (await donationOf(id)).id);
    const receipts = mails.where('kind', '=', 'receipt').orderBy('status');
    return await receipts.select(['status', IS_RECENT.as('is_recent')]).execute();
  };
  /** Pays a donation and withdraws it, before the worker comes to its receipt. */
  async function payAndWithdraw(card: string, withdraw: (id: string) => Promise<unknown>) {
    const id = await payDonation({ amount_cents: 3000, donor_email: 'ada@example.org' }, card);
    await withdraw(id);
    await deliverEventsOf(id);
    assert.equal((await donationOf(id)).remaining_amount_cents, 0);
    const failed = { status: 'failed', next_attempt_at: null } as const;
    const { id: donation_id } = await donationOf(id);
    await db.updateTable('mail').set(failed).where('donation_id', '=', donation_id).execute();
    return id;
  }
  const dispute = async (id: string) => sandbox('/disputes', { charge: await chargeOf(id) });

  for (const [outcome, status] of [
    ['won', 'pending'],
    ['lost', 'failed'],
  ] as const) {
    test(`is ${status} after a dispute that is ${outcome}, however long it took`, async () => {
      const id = await payAndWithdraw('pm_card_visa', dispute);
      await db
        .updateTable('mail')
        .set({ created_at: sql`now() - interval '70 days'` })
        .execute();
      await removeExpired(db);
      const { data } = await stripe.disputes.list({ charge: await chargeOf(id) }, ACCOUNT);
      await sandbox('/disputes/close', { dispute: data[0]!.id, outcome });
      await deliverEventsOf(id);
      assert.deepEqual(await receiptsOf(id), [{ status, is_recent: outcome === 'won' }]);
    });
  }

  test('is queued after a refund that fails', async () => {
    const id = await payAndWithdraw('pm_card_refundFail', (intent) => refund(intent));
    await sandbox('/clock', { advance: 'week' });
    await deliverEventsOf(id);
    assert.deepEqual(await receiptsOf(id), [{ status: 'pending', is_recent: true }]);
  });

  test('is not queued if another one was sent', async () => {
    const id = await payAndWithdraw('pm_card_refundFail', (intent) => refund(intent));
    const { id: donation_id, organization_id } = await donationOf(id);
    await db
      .insertInto('mail')
      .values({
        ...{ id: 'mail_again', kind: 'receipt', deduplication_key: 'again', organization_id },
        ...{ donation_id, status: 'sent', sent_at: new Date(), next_attempt_at: null },
      })
      .execute();
    await sandbox('/clock', { advance: 'week' });
    await deliverEventsOf(id);
    const receipts = await receiptsOf(id);
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['failed', 'sent'],
    );
  });
});

describe('a donation in another currency than the balance', () => {
  test('has its amount, fee, net and rate in the currency of the balance', async () => {
    const id = await payForeignDonation(10_000);
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await donationOf(id), {
      currency: 'eur',
      fee_cents: null,
      settlement_currency: 'usd',
      settlement_amount_cents: 11_000,
      settlement_fee_cents: 349,
      settlement_net_cents: 10_651,
      exchange_rate: 1.1,
    });
    await refund(id, 4000);
    const { id: dispute } = await sandbox('/disputes', { charge: await chargeOf(id) });
    await deliverEventsOf(id);
    await sandbox('/disputes/close', { dispute, outcome: 'lost' });
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await donationOf(id), {
      refunded_amount_cents: 4000,
      disputed_amount_cents: 6000,
      remaining_amount_cents: 0,
      settlement_fee_cents: 349 + 1500,
      settlement_net_cents: await netAt(id),
    });
  });
});

describe('events of one payment', () => {
  test('end in the same state in every order, each delivered twice', async () => {
    const id = await payDonation({ amount_cents: 5000 });
    await refund(id, 1200);
    const { id: dispute } = await sandbox('/disputes', { charge: await chargeOf(id) });
    await sandbox('/disputes/close', { dispute, outcome: 'lost' });
    const events = (await eventsOf(id)).filter(({ type }) => HANDLERS.has(type));
    const kinds = new Map(events.map((event) => [event.type, event]));
    const chosen = [
      'payment_intent.succeeded',
      'charge.refunded',
      'charge.dispute.created',
      'charge.dispute.closed',
    ].map((type) => kinds.get(type as never)!);
    assert.ok(chosen.every(Boolean), [...kinds.keys()].join());
    let orders = 0;
    for (const order of permutations(chosen)) {
      await forget(id);
      for (const event of order) await deliverEvent(event);
      for (const event of order) assert.equal(await deliverEvent(event), 'duplicate');
      assert.deepEqual(await stateOf(id), {
        refund_status: 'partial',
        refunded_amount_cents: 1200,
        dispute_status: 'lost',
        fee_cents: 175 + 1500,
        net_amount_cents: await netAt(id),
      });
      const { id: donation } = await donationOf(id);
      const eventTypes = ['donation.created', 'donation.refunded', 'donation.disputed'];
      assert.deepEqual(
        await webhookEventTypes(donation),
        eventTypes,
        order.map(({ type }) => type).join(),
      );
      orders += 1;
    }
    assert.equal(orders, 24);
  });

  test('delivered concurrently send each webhook event once', async () => {
    const id = await payDonation({ amount_cents: 5000 });
    await refund(id, 1200);
    const events = (await eventsOf(id)).filter(({ type }) => HANDLERS.has(type));
    await Promise.all([...events, ...events, ...events].map(deliverEvent));
    const { id: donation } = await donationOf(id);
    assert.deepEqual((await webhookEventTypes(donation)).toSorted(), [
      'donation.created',
      'donation.refunded',
    ]);
    assert.equal((await stateOf(id)).refunded_amount_cents, 1200);
  });

  test('from another account are ignored', async () => {
    const id = await payDonation();
    await refund(id, 100);
    const [event] = (await eventsOf(id)).filter(({ type }) => type === 'charge.refunded');
    assert.match(await deliverEvent({ ...event, account: 'acct_lantern' }), /^(ignored|refused)$/);
    assert.equal(await deliverEvent({ ...event, account: 'acct_of_nobody' }), 'ignored');
    await assert.rejects(donationOf(id));
  });
});
