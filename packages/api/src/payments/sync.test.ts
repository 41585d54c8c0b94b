import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EmbedSession, PaymentIntent } from '@connect-embed/contract';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { nextRowVersion } from './row-version.ts';
import { loadPaymentContext } from './payment-context.ts';
import { sync } from './sync.ts';

const sandboxApi = await startManualEventsSandbox();
const {
  deps,
  db,
  stripe,
  payDonation,
  deliverEventsOf,
  deliverEvent,
  post,
  token,
  donationOf,
  webhookEventTypes,
  eventsOf,
} = sandboxApi;
const organizationId = 'org_harbor';
const account = ACCOUNT.stripeAccount;

/** Fetches a payment like an event handler does, and returns a function that saves it. */
async function fetchPayment(id: string) {
  const context = (await loadPaymentContext(db, account, id))!;
  const version = await nextRowVersion(db);
  const payment = await deps.processor.retrieveSucceededPayment(id, account, 'everything');
  return () => sync(deps, context, payment, version);
}

describe('payments that are fetched concurrently', () => {
  for (const order of ['in order', 'in reverse order'] as const) {
    test(`keep the newer row version, saved ${order}`, async () => {
      const id = await payDonation({ amount_cents: 2000 });
      const saveEarlier = await fetchPayment(id);
      await stripe.refunds.create({ payment_intent: id, amount: 600 }, ACCOUNT);
      const after = await fetchPayment(id);
      for (const write of order === 'in order' ? [saveEarlier, after] : [after, saveEarlier])
        await write();
      const donation = await donationOf(id);
      assert.equal(donation.refunded_amount_cents, 600);
      assert.deepEqual(await webhookEventTypes(donation.id), [
        'donation.created',
        'donation.refunded',
      ]);
    });
  }

  test('enqueue one webhook event for a refund when they are saved concurrently', async () => {
    const id = await payDonation({ amount_cents: 2000 });
    await stripe.refunds.create({ payment_intent: id }, ACCOUNT);
    const writes = await Promise.all(Array.from({ length: 12 }, () => fetchPayment(id)));
    await Promise.all(writes.map((write) => write()));
    const donation = await donationOf(id);
    assert.equal(donation.refund_status, 'full');
    assert.deepEqual(await webhookEventTypes(donation.id), [
      'donation.created',
      'donation.refunded',
    ]);
  });

  test('record a new donation once and never deadlock', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await payDonation();
      const writes = await Promise.all(Array.from({ length: 8 }, () => fetchPayment(id)));
      await Promise.all(writes.map((write) => write()));
      const donation = await donationOf(id);
      assert.deepEqual(await webhookEventTypes(donation.id), ['donation.created']);
    }
  });
});

describe('a donation whose payment intent was created here', () => {
  test('gets its fee when Stripe knows it', async () => {
    const id = await payDonation({ amount_cents: 2000 });
    await deliverEventsOf(id);
    // Simulates Stripe reporting the payment before its balance transaction exists.
    await db
      .updateTable('donation')
      .set({ fee_cents: null })
      .where('processor_payment_intent_id', '=', id)
      .execute();
    assert.equal((await donationOf(id)).net_amount_cents, null);
    const charge = { id: 'ch_1', object: 'charge', payment_intent: id };
    const event = { id: `evt_${id}`, object: 'event', type: 'charge.updated' };
    assert.equal(await deliverEvent({ ...event, data: { object: charge } }), 'recorded');
    assert.equal((await donationOf(id)).net_amount_cents, 2000 - 88);
  });

  test('is rejected if the payment intent belongs to another organization', async () => {
    const id = await payDonation();
    await db
      .updateTable('payment_intent')
      .set({ organization_id: 'org_lantern' })
      .where('id', '=', id)
      .execute();
    await deliverEventsOf(id);
    await assert.rejects(donationOf(id));
    assert.ok(sandboxApi.logged.some((line) => line.includes('belongs to another organization')));
  });

  test('is recorded with the amount that was paid, and a difference is logged', async () => {
    const id = await payDonation({ amount_cents: 2000 });
    await db
      .updateTable('payment_intent')
      .set({ amount_cents: 9000 })
      .where('id', '=', id)
      .execute();
    await deliverEventsOf(id);
    assert.equal((await donationOf(id)).amount_cents, 2000);
    assert.ok(
      sandboxApi.logged.some((line) =>
        line.includes('the payment intent is for 9000 usd, 2000 usd was paid'),
      ),
    );
  });

  test('keeps the fund of the payment intent, whatever the metadata at Stripe says', async () => {
    const id = await payDonation({ fund_id: 'fund_meals' });
    await db
      .updateTable('payment_intent')
      .set({ fund_id: 'fund_kitchen' })
      .where('id', '=', id)
      .execute();
    await deliverEventsOf(id);
    assert.equal((await donationOf(id)).fund_id, 'fund_kitchen');
  });

  test('is recorded for its organization even if the metadata was removed at Stripe', async () => {
    const opened = await post('/embed-sessions', token, { fund_id: 'fund_meals' });
    const { id: session } = (await opened.json()) as EmbedSession;
    const response = await post('/payment-intents', token, {
      amount_cents: 2000,
      embed_session_id: session,
    });
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await sandboxApi.clearMetadata(id);
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);
    await deliverEventsOf(id);
    await deliverEventsOf(id);
    assert.partialDeepStrictEqual(await donationOf(id), {
      organization_id: organizationId,
      amount_cents: 2000,
      fund_id: 'fund_meals',
      source: 'embed',
      source_id: session,
    });
  });

  test('is recorded by a later event even if the metadata was removed at Stripe', async () => {
    const response = await post('/payment-intents', token, { amount_cents: 2000 });
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await sandboxApi.clearMetadata(id);
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);
    await stripe.refunds.create({ payment_intent: id, amount: 500 }, ACCOUNT);
    const refunded = (await eventsOf(id)).find(({ type }) => type === 'charge.refunded')!;
    assert.equal(await deliverEvent(refunded), 'recorded');
    assert.partialDeepStrictEqual(await donationOf(id), {
      organization_id: organizationId,
      amount_cents: 2000,
      refunded_amount_cents: 500,
    });
  });
});
