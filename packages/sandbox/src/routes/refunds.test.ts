import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { createClient, startTestSandbox, waitFor } from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const stripe = createClient(url);

async function pay(payment_method = 'pm_card_visa') {
  const intent = await stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    confirm: true,
    payment_method,
  });
  return { intent: intent.id, charge: intent.latest_charge as string };
}

const typesOf = async (since: string[]) => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.filter(({ id }) => !since.includes(id)).map(({ type }) => type);
};
const eventIds = async () => (await stripe.events.list({ limit: 100 })).data.map(({ id }) => id);

describe('a refund', () => {
  test('can be partial, until nothing remains', async () => {
    const { intent, charge } = await pay();
    const before = await eventIds();
    const first = await stripe.refunds.create({
      payment_intent: intent,
      amount: 2000,
      reason: 'requested_by_customer',
      metadata: { reason: 'requested' },
      expand: ['balance_transaction', 'charge'],
    });
    assert.partialDeepStrictEqual(first, {
      object: 'refund',
      amount: 2000,
      status: 'succeeded',
      payment_intent: intent,
      metadata: { reason: 'requested' },
    });
    const line = first.balance_transaction as Stripe.BalanceTransaction;
    assert.deepEqual([line.type, line.amount, line.fee, line.net], ['refund', -2000, 0, -2000]);
    assert.equal((first.charge as Stripe.Charge).amount_refunded, 2000);
    assert.equal((first.charge as Stripe.Charge).refunded, false);
    assert.deepEqual((await typesOf(before)).sort(), ['charge.refunded', 'refund.created']);

    const rest = await stripe.refunds.create({ charge });
    assert.equal(rest.amount, 3000);
    const complete = await stripe.charges.retrieve(charge);
    assert.deepEqual([complete.amount_refunded, complete.refunded], [5000, true]);
    const listed = await stripe.refunds.list({ payment_intent: intent, limit: 1 });
    assert.deepEqual([listed.data[0]?.id, listed.has_more], [rest.id, true]);
    assert.equal((await stripe.refunds.retrieve(first.id)).id, first.id);
    await assert.rejects(stripe.refunds.create({ charge }), {
      statusCode: 400,
      code: 'charge_already_refunded',
    });
  });

  test('is limited to the amount of a successful payment', async () => {
    const { charge } = await pay();
    await assert.rejects(stripe.refunds.create({ charge, amount: 5001 }), {
      param: 'amount',
      message: /\$50\.01.*\$50\.00/,
    });
    await assert.rejects(stripe.refunds.create({ charge, amount: 0 }), { param: 'amount' });
    await assert.rejects(stripe.refunds.create({ charge: 'ch_none' }), { statusCode: 404 });
    await assert.rejects(stripe.refunds.create({}), { code: 'parameter_missing' });
    const open = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' });
    await assert.rejects(stripe.refunds.create({ payment_intent: open.id }), { statusCode: 400 });
  });

  test('with one idempotency key is created once', async () => {
    const { charge } = await pay();
    const createRefund = () =>
      stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: `refund ${charge}` });
    assert.equal((await createRefund()).id, (await createRefund()).id);
    assert.equal((await stripe.charges.retrieve(charge)).amount_refunded, 100);
  });

  test('that is pending succeeds later, or can be canceled', async () => {
    const { charge } = await pay('pm_card_pendingRefund');
    const refund = await stripe.refunds.create({ charge, amount: 100 });
    const other = await stripe.refunds.create({ charge, amount: 50 });
    assert.equal(refund.status, 'pending');
    assert.equal((await stripe.refunds.cancel(other.id)).status, 'canceled');
    assert.equal((await stripe.charges.retrieve(charge)).amount_refunded, 100);
    await waitFor(async () => (await stripe.refunds.retrieve(refund.id)).status === 'succeeded');
    const updated = await stripe.events.list({ type: 'refund.updated' });
    assert.deepEqual(
      updated.data.map(({ data }) => (data.object as Stripe.Refund).id).sort(),
      [refund.id, other.id].sort(),
    );
  });

  test('that fails later restores the charge', async () => {
    const { charge } = await pay('pm_card_refundFail');
    const { id, status } = await stripe.refunds.create({ charge });
    assert.equal(status, 'succeeded');
    await waitFor(async () => (await stripe.refunds.retrieve(id)).status === 'failed');
    const restored = await stripe.charges.retrieve(charge);
    assert.deepEqual([restored.amount_refunded, restored.refunded], [0, false]);
    const failed = await stripe.refunds.retrieve(id, { expand: ['failure_balance_transaction'] });
    const line = failed.failure_balance_transaction as Stripe.BalanceTransaction;
    assert.deepEqual([line.type, line.amount], ['refund_failure', 5000]);
    assert.equal((await stripe.events.list({ type: 'refund.failed' })).data.length, 1);
  });
});

describe('a list', () => {
  test('of events can be filtered by type and time', async () => {
    await pay();
    const all = await stripe.events.list({ limit: 100 });
    const newest = all.data[0];
    assert.ok(newest);
    const eventsByType = await stripe.events.list({ types: ['charge.succeeded', 'refund.failed'] });
    assert.ok(eventsByType.data.length > 1);
    assert.ok(eventsByType.data.every(({ type }) => type !== 'charge.refunded'));
    const later = { created: { gte: newest.created + 3600 } };
    assert.deepEqual((await stripe.events.list(later)).data, []);
    const since = await stripe.events.list({ created: { gte: newest.created } });
    assert.ok(since.data.some(({ id }) => id === newest.id));
  });

  test('of charges is filtered by payment intent, of balance transactions by source', async () => {
    const { intent, charge } = await pay();
    const charges = await stripe.charges.list({ payment_intent: intent });
    assert.deepEqual(
      charges.data.map(({ id }) => id),
      [charge],
    );
    const lines = await stripe.balanceTransactions.list({ source: charge });
    assert.deepEqual([lines.data.length, lines.data[0]?.fee, lines.data[0]?.net], [1, 175, 4825]);
  });
});
