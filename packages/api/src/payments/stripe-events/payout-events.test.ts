import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ALL_SCOPES,
  Donation,
  Payout,
  BalanceTransaction,
  type List,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';
import { eventually } from '../../../test-support/app/start-api.ts';
import { permutations } from '../../../test-support/inputs/permutations.ts';
import { createApiKey } from '../../auth/api-key.ts';
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

/** Waits until another transaction waits for a lock of this one. */
const someoneWaitsFor = (tx: typeof db) =>
  eventually(async () => {
    const { rows } = await sql`select from pg_locks
      where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx);
    return rows[0];
  });

const rowOf = (id: string) =>
  db
    .selectFrom('payout')
    .selectAll()
    .where('processor_payout_id', '=', id)
    .executeTakeFirstOrThrow();

/** Returns the transactions of a payout as the API lists them. */
async function transactionsOf(id: string): Promise<BalanceTransaction[]> {
  const response = await get(`/payouts/${id}/transactions?limit=100`, token);
  const { data } = (await response.json()) as { data: unknown[] };
  return data.map((entry) => BalanceTransaction.strict().parse(entry));
}

const sumOf = (entries: readonly BalanceTransaction[]) =>
  entries.reduce((total, { net_amount_cents }) => total + net_amount_cents, 0);

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
    const list = (await (await get(`/payouts/${row.id}/transactions`, token)).json()) as {
      data: unknown[];
    };
    const parts = list.data.map((part) => BalanceTransaction.strict().parse(part));
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
      await Promise.race([Promise.all(deliveries), someoneWaitsFor(tx)]);
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

  test('that pays the money of a failed one has its donations', async () => {
    const id = await payDonation({ amount_cents: 4100 });
    await deliverEventsOf(id);
    await sandbox('/payouts/fail-next', {});
    const failed = await payOut();
    for (const event of await eventsOf(failed.id)) await deliverEvent(event);
    assert.equal((await donationOf(id)).payout_id, (await rowOf(failed.id)).id);
    const [paid] = (await stripe.payouts.list({ limit: 1 }, ACCOUNT)).data;
    assert.ok(paid?.status === 'paid' && paid.id !== failed.id);
    for (const event of await eventsOf(paid.id)) await deliverEvent(event);
    const row = await rowOf(paid.id);
    assert.equal((await donationOf(id)).payout_id, row.id);
    const entries = await transactionsOf(row.id);
    assert.ok(
      entries.some(
        ({ donation_id, reporting_category }) => donation_id && reporting_category === 'charge',
      ),
    );
    assert.equal(sumOf(entries), paid.amount);
    // The failed payout keeps its entries, in whichever order the two are reported.
    assert.equal(sumOf(await transactionsOf((await rowOf(failed.id)).id)), failed.amount);
    await db.deleteFrom('processor_event').execute();
    for (const event of await eventsOf(failed.id)) await deliverEvent(event);
    assert.equal((await donationOf(id)).payout_id, row.id);
  });

  test('that a person made at Stripe has no transactions, because Stripe does not list them', async () => {
    await payDonation({ amount_cents: 9000 }, 'pm_card_bypassPending');
    const manual = await stripe.payouts.create({ amount: 1500, currency: 'usd' }, ACCOUNT);
    for (const event of await eventsOf(manual.id)) await deliverEvent(event);
    const row = await rowOf(manual.id);
    assert.partialDeepStrictEqual(row, { automatic: false, missing_cents: null });
    assert.deepEqual(await transactionsOf(row.id), []);
  });

  test('lists fees, reserves and the payment of a failed payout, and adds up to the cent', async () => {
    await sandbox('/clock', { advance: 'week' });
    await sandbox('/payouts/fail-next', {});
    await payDonation({ amount_cents: 60_000 });
    const failed = await payOut();
    await payDonation({ amount_cents: 30_000 });
    await sandbox('/fees', { amount: 2500, currency: 'usd' });
    await sandbox('/reserves', { amount: 4000, currency: 'usd' });
    const payout = await payOut();
    const { data } = await stripe.payouts.list({ limit: 100 }, ACCOUNT);
    const transactions: BalanceTransaction[] = [];
    for (const { id, amount, status } of data.filter(({ created }) => created >= failed.created)) {
      for (const event of await eventsOf(id)) await deliverEvent(event);
      const row = await rowOf(id);
      const ofPayout = await transactionsOf(row.id);
      assert.equal(sumOf(ofPayout), amount);
      assert.equal(row.missing_cents, status === 'paid' ? 0 : null);
      transactions.push(...ofPayout);
    }
    const ofCategory = (category: string) =>
      transactions
        .filter(({ reporting_category }) => reporting_category === category)
        .map(({ net_amount_cents }) => net_amount_cents);
    assert.deepEqual(ofCategory('fee'), [-2500]);
    assert.deepEqual(ofCategory('risk_reserved_funds'), [-4000]);
    assert.deepEqual(ofCategory('payout'), [-failed.amount]);
    assert.deepEqual(ofCategory('payout_reversal'), [failed.amount]);
    const returned = transactions.find(
      ({ reporting_category }) => reporting_category === 'payout_reversal',
    );
    assert.equal(returned?.processor_source_id, failed.id);
    const charge = transactions.find(({ amount_cents }) => amount_cents === 30_000)!;
    assert.deepEqual(charge.fee_details, [
      {
        amount_cents: charge.fee_cents,
        currency: 'usd',
        type: 'stripe_fee',
        description: 'Stripe processing fees',
      },
    ]);
    assert.ok(charge.available_on && charge.processor_transaction_id?.startsWith('txn_'));
    const apiPayout = Payout.parse(
      await (await get(`/payouts/${(await rowOf(payout.id)).id}`, token)).json(),
    );
    assert.match(apiPayout.trace_id ?? '', /^SANDBOX/);
  });

  test('lists its transactions page by page, and only to its organization', async () => {
    await payDonation();
    await sandbox('/fees', { amount: 100, currency: 'usd' });
    const payout = await payOut();
    for (const event of await eventsOf(payout.id)) await deliverEvent(event);
    const { id } = await rowOf(payout.id);
    const all = await transactionsOf(id);
    const paged: BalanceTransaction[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/payouts/${id}/transactions?limit=1${cursor && `&cursor=${cursor}`}`;
      const page = (await (await get(path, token)).json()) as List<BalanceTransaction>;
      paged.push(...page.data);
      cursor = page.next_cursor;
    }
    assert.ok(all.length >= 2);
    assert.deepEqual(paged, all);
    const key = { organizationId: 'org_lantern', name: 'test', scopes: ALL_SCOPES };
    const { token: other } = await createApiKey(db, key);
    assert.equal((await get(`/payouts/${id}/transactions`, other)).status, 404);
  });

  test('counts a payment made outside Connect as a payment, not as a donation', async () => {
    const id = await payDonation({ amount_cents: 2500 });
    await deliverEventsOf(id);
    await stripe.paymentIntents.create(
      { amount: 7777, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
      ACCOUNT,
    );
    await payOut();
    const entries: BalanceTransaction[] = [];
    for (const payout of (await stripe.payouts.list({ limit: 100 }, ACCOUNT)).data) {
      for (const event of await eventsOf(payout.id)) await deliverEvent(event);
      const ofPayout = await transactionsOf((await rowOf(payout.id)).id);
      assert.equal(sumOf(ofPayout), payout.automatic ? payout.amount : 0);
      entries.push(...ofPayout);
    }
    const foreign = entries.find(({ amount_cents }) => amount_cents === 7777);
    assert.partialDeepStrictEqual(foreign, { reporting_category: 'charge', donation_id: null });
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
      assert.partialDeepStrictEqual(row, { status: 'paid', missing_cents: 0 });
      assert.equal(sumOf(await transactionsOf(row.id)), payout.amount);
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
