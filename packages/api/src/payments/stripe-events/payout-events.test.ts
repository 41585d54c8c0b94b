import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Donation, Payout, PayoutDonation } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { ACCOUNT, startManualEventsSandbox } from '../../../test-support/manual-events-sandbox.ts';
import { permutations } from '../../../test-support/permutations.ts';
import { recordDonation } from '../record-donation.ts';

const sandboxApi = await startManualEventsSandbox();
const {
  stripe,
  payDonation,
  deliverEventsOf,
  deliverEvent,
  donationOf,
  webhookEventTypes,
  sandbox,
  db,
  deps,
  get,
  token,
} = sandboxApi;

/** Returns the sandbox's events about a payout, oldest first. */
async function eventsOf(id: string): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ limit: 100 }, ACCOUNT);
  return data.filter(({ data }) => (data.object as { id?: string }).id === id).reverse();
}

/** Advances the sandbox's clock until it has created a payout that was paid or failed. */
async function payOut(): Promise<Stripe.Payout> {
  const knownIds = new Set(
    (await stripe.payouts.list({ limit: 100 }, ACCOUNT)).data.map((p) => p.id),
  );
  await sandbox('/clock', { advance: 'week' });
  await sandbox('/clock', { advance: 'week' });
  const { data } = await stripe.payouts.list({ limit: 100 }, ACCOUNT);
  const createdPayout = data.findLast(({ id }) => !knownIds.has(id));
  assert.ok(createdPayout, 'the sandbox made no payout');
  return createdPayout;
}

const rowOf = (id: string) =>
  db
    .selectFrom('payout')
    .selectAll()
    .where('processor_payout_id', '=', id)
    .executeTakeFirstOrThrow();

describe('a payout', () => {
  test('is saved with its status and its donations, with one webhook event for each change', async () => {
    const paidDonations = [
      await payDonation({ amount_cents: 2000 }),
      await payDonation({ amount_cents: 3000 }),
    ];
    for (const id of paidDonations) await deliverEventsOf(id);
    const payout = await payOut();
    const events = await eventsOf(payout.id);
    for (const event of [...events, ...events]) await deliverEvent(event);

    const row = await rowOf(payout.id);
    assert.partialDeepStrictEqual(row, {
      amount_cents: payout.amount,
      status: 'paid',
      arrival_date: new Date(payout.arrival_date * 1000),
    });
    assert.deepEqual(await webhookEventTypes(row.id), ['payout.created', 'payout.paid']);

    const apiPayout = Payout.parse(await (await get(`/payouts/${row.id}`, token)).json());
    assert.equal(apiPayout.amount_cents, payout.amount);
    const list = (await (await get(`/payouts/${row.id}/donations`, token)).json()) as {
      data: unknown[];
    };
    const parts = list.data.map((part) => PayoutDonation.strict().parse(part));
    const donations = await Promise.all(paidDonations.map(donationOf));
    assert.deepEqual(
      new Set(parts.map(({ donation_id }) => donation_id)),
      new Set(donations.map(({ id }) => id)),
    );
    assert.ok(donations.every(({ payout_id }) => payout_id === row.id));
    const sum = parts.reduce((total, { net_amount_cents }) => total + net_amount_cents, 0);
    assert.equal(sum, payout.amount);
  });

  test('is linked to a donation that is recorded after it', async () => {
    const id = await payDonation();
    const payout = await payOut();
    for (const event of await eventsOf(payout.id)) await deliverEvent(event);
    await deliverEventsOf(id);
    const { id: donationId } = await donationOf(id);
    const donation = Donation.strict().parse(
      await (await get(`/donations/${donationId}`, token)).json(),
    );
    assert.partialDeepStrictEqual(donation, {
      payout_id: (await rowOf(payout.id)).id,
      payment_method: 'card',
      card_brand: 'visa',
    });
    assert.equal(typeof donation.fee_cents, 'number');
  });

  test('is linked to a donation that is recorded at the same time', async () => {
    const id = await payDonation();
    const payout = await payOut();
    const payment = await deps.processor.retrieveSucceededPayment(
      id,
      ACCOUNT.stripeAccount,
      'fresh',
    );
    const deliveries: Promise<string>[] = [];
    await db.transaction().execute(async (tx) => {
      await recordDonation(tx, { organizationId: 'org_harbor', intent: null }, payment, 1);
      for (const event of await eventsOf(payout.id)) deliveries.push(deliverEvent(event));
      // Without a lock the payout is saved in the meantime and finds no donation to link.
      await Promise.race([Promise.all(deliveries), sleep(1500)]);
    });
    assert.ok((await Promise.all(deliveries)).includes('recorded'));
    assert.equal((await donationOf(id)).payout_id, (await rowOf(payout.id)).id);
  });

  test('that failed sends payout.failed', async () => {
    await sandbox('/payouts/fail-next', {});
    await payDonation();
    const payout = await payOut();
    for (const event of await eventsOf(payout.id)) await deliverEvent(event);
    const row = await rowOf(payout.id);
    assert.equal(row.status, 'failed');
    assert.ok(row.failure_message);
    assert.deepEqual(await webhookEventTypes(row.id), ['payout.created', 'payout.failed']);
  });

  test('ends in the same state for every order of its events', async () => {
    await payDonation();
    const payout = await payOut();
    const events = await eventsOf(payout.id);
    for (const order of permutations(events.slice(0, 3))) {
      await db.deleteFrom('processor_event').execute();
      await db.deleteFrom('payout').where('processor_payout_id', '=', payout.id).execute();
      for (const event of order) await deliverEvent(event);
      const row = await rowOf(payout.id);
      assert.equal(row.status, 'paid');
      assert.deepEqual(await webhookEventTypes(row.id), ['payout.created', 'payout.paid']);
    }
  });

  test('of an unknown account is ignored', async () => {
    await payDonation();
    const payout = await payOut();
    const [event] = await eventsOf(payout.id);
    assert.equal(await deliverEvent({ ...event, account: 'acct_of_nobody' }), 'ignored');
    await assert.rejects(rowOf(payout.id));
  });
});
