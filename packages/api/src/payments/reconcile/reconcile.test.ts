import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';
import { eventually } from '../../../test-support/app/start-api.ts';
import { LOCKS, tryWithLock } from '../../db/advisory-lock.ts';
import { loadMailContext } from '../../mail/mail-context.ts';
import type { Difference } from './difference.ts';
import { startReconciler } from './start-reconciler.ts';
import { checkPayouts } from '../../doctor/payouts.ts';
import { countIncompletePayouts } from '../incomplete-payouts.ts';
import { reconcile } from './reconcile.ts';

const sandboxApi = await startManualEventsSandbox();
const { deps, db, stripe, payDonation, deliverEventsOf, donationOf, webhookEventTypes, sandbox } =
  sandboxApi;
const DAY_MS = 86_400_000;

/** Runs one reconciliation and returns the differences it found. */
async function runReconciliation(
  mode: 'events' | 'lists' | 'dry run',
  runDeps = deps,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const failures: unknown[] = [];
  const lists = { from: new Date(Date.now() - 30 * DAY_MS), repair: mode !== 'dry run' };
  await reconcile(
    runDeps,
    {
      organizationId: 'org_harbor',
      onFailure: (_, error) => void failures.push(error),
      compareOptionsFor: () => (mode === 'events' ? undefined : lists),
    },
    { onDifference: (difference) => void differences.push(difference), onChecked: () => {} },
  );
  assert.deepEqual(failures, []);
  return differences;
}

const chargeOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).latest_charge as string;

const accountOf = async (id: string) =>
  (
    await db
      .selectFrom('organization')
      .select('processor_account_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).processor_account_id;

const setAccount = (id: string, processor_account_id: string | null) =>
  db.updateTable('organization').set({ processor_account_id }).where('id', '=', id).execute();

/**
 * Marks all Stripe events as handled, so that only the comparison of lists can find differences.
 */
async function markAllEventsHandled(): Promise<void> {
  const { data } = await stripe.events.list({ limit: 100 }, ACCOUNT);
  await db
    .insertInto('processor_event')
    .values(data.map(({ id, type }) => ({ id, type, organization_id: 'org_harbor' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

describe('reconciliation', () => {
  test('finds no differences if no event was lost', async () => {
    await deliverEventsOf(await payDonation());
    await runReconciliation('lists');
    assert.deepEqual(await runReconciliation('lists'), []);
    assert.deepEqual(await runReconciliation('events'), []);
  });

  test('finds a payment intent of ours even if its metadata was removed at Stripe', async () => {
    const response = await sandboxApi.post('/payment-intents', sandboxApi.token, {
      amount_cents: 2000,
    });
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await sandboxApi.clearMetadata(id);
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);
    await markAllEventsHandled();
    assert.partialDeepStrictEqual(await runReconciliation('lists'), [{ id, isRepaired: true }]);
    assert.equal((await donationOf(id)).amount_cents, 2000);
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('records a closed inquiry once and does not count it as a dispute', async () => {
    const id = await payDonation();
    await deliverEventsOf(id);
    const charge = await chargeOf(id);
    const { id: dispute } = await sandbox('/disputes', { charge, inquiry: true });
    await sandbox('/disputes/close', { dispute, outcome: 'won' });
    await markAllEventsHandled();
    assert.deepEqual(
      (await runReconciliation('lists')).map((found) => [found.id, found.isRepaired]),
      [[id, true]],
    );
    assert.equal((await donationOf(id)).dispute_status, 'none');
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('processes events that were not delivered, once', async () => {
    const id = await payDonation({ amount_cents: 4500 });
    await stripe.refunds.create({ payment_intent: id, amount: 500 }, ACCOUNT);
    const found = await runReconciliation('events');
    assert.ok(found.length > 0 && found.every(({ isRepaired }) => isRepaired));
    const donation = await donationOf(id);
    assert.equal(donation.refunded_amount_cents, 500);
    assert.deepEqual(await runReconciliation('events'), []);
    await deliverEventsOf(id);
    assert.deepEqual(await webhookEventTypes(donation.id), [
      'donation.created',
      'donation.refunded',
    ]);
  });

  test('finds payments, refunds and disputes whose events are lost by comparing the lists', async () => {
    const unrecorded = await payDonation({ amount_cents: 3100 });
    const recordedId = await payDonation({ amount_cents: 3200 });
    await deliverEventsOf(recordedId);
    await stripe.refunds.create({ payment_intent: recordedId, amount: 200 }, ACCOUNT);
    const disputed = await payDonation({ amount_cents: 3300 });
    await deliverEventsOf(disputed);
    await sandbox('/disputes', { charge: await chargeOf(disputed) });
    await markAllEventsHandled();

    const differences = await runReconciliation('dry run');
    assert.deepEqual(
      new Set(differences.map(({ id }) => id)),
      new Set([unrecorded, recordedId, disputed]),
    );
    assert.ok(differences.every(({ isRepaired }) => !isRepaired));
    await assert.rejects(donationOf(unrecorded));

    const repaired = await runReconciliation('lists');
    assert.ok(
      repaired.some(({ description }) => description === 'a donation of 3100 usd was not recorded'),
    );
    assert.equal((await donationOf(unrecorded)).amount_cents, 3100);
    assert.equal((await donationOf(recordedId)).refunded_amount_cents, 200);
    assert.equal((await donationOf(disputed)).dispute_status, 'open');
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('a donation that is found days later keeps the time of its payment', async () => {
    await sandbox('/clock', { advance: 'day' });
    const id = await payDonation({ donor_email: 'late@example.org' });
    await markAllEventsHandled();
    await runReconciliation('lists');
    const donation = await donationOf(id);
    const { created } = await stripe.charges.retrieve(await chargeOf(id), {}, ACCOUNT);
    assert.equal(donation.paid_at.getTime(), created * 1000);
    assert.ok(Math.abs(donation.created_at.getTime() - created * 1000) > DAY_MS / 2);
    const mail = await db
      .selectFrom('mail')
      .select('id')
      .where('donation_id', '=', donation.id)
      .executeTakeFirstOrThrow();
    const mailContext = await loadMailContext(db, mail.id);
    assert.deepEqual(mailContext?.donation?.paid_at, donation.paid_at);
  });

  test('records a refund of an event registration that was made at Stripe', async () => {
    const card = { payment_method: 'pm_card_visa', confirm: true };
    const intent = await stripe.paymentIntents.create(
      { amount: 4000, currency: 'usd', ...card },
      ACCOUNT,
    );
    const event = await db
      .selectFrom('event')
      .select('id')
      .where('organization_id', '=', 'org_harbor')
      .executeTakeFirstOrThrow();
    const registration = {
      id: 'reg_by_card',
      organization_id: 'org_harbor',
      event_id: event.id,
      status: 'confirmed',
      amount_paid_cents: 4000,
      source: 'embed',
      processor_payment_intent_id: intent.id,
    } as const;
    await db.insertInto('registration').values(registration).execute();
    const rowOf = () =>
      db
        .selectFrom('registration')
        .selectAll()
        .where('id', '=', registration.id)
        .executeTakeFirstOrThrow();
    await stripe.refunds.create({ payment_intent: intent.id, amount: 1000 }, ACCOUNT);
    await markAllEventsHandled();
    const differences = await runReconciliation('dry run');
    assert.deepEqual(
      differences.map(({ id, description }) => [id, description]),
      [[intent.id, 'reg_by_card: 0 is recorded as refunded, but 1000 was refunded']],
    );
    assert.deepEqual(
      (await runReconciliation('lists')).map(({ id, isRepaired }) => [id, isRepaired]),
      [[intent.id, true]],
    );
    assert.partialDeepStrictEqual(await rowOf(), { refunded_cents: 1000, status: 'confirmed' });
    await stripe.refunds.create({ payment_intent: intent.id }, ACCOUNT);
    await markAllEventsHandled();
    await runReconciliation('lists');
    assert.partialDeepStrictEqual(await rowOf(), { refunded_cents: 4000, status: 'refunded' });
    assert.deepEqual(await webhookEventTypes(registration.id), ['registration.refunded']);
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('continues after an organization with a disconnected account and reports it', async () => {
    const accountBefore = await accountOf('org_lantern');
    await setAccount('org_lantern', 'acct-that-left');
    const id = await payDonation({ amount_cents: 8800 });
    const failed: [string, string][] = [];
    const pass = () =>
      reconcile(
        deps,
        {
          onFailure: (organization, error) => void failed.push([organization, String(error)]),
          compareOptionsFor: () => undefined,
        },
        { onDifference: () => {}, onChecked: () => {} },
      );
    await pass();
    assert.equal((await donationOf(id)).amount_cents, 8800);
    assert.deepEqual(
      failed.map(([organization]) => organization),
      ['org_lantern'],
    );
    assert.match(failed[0]![1], /acct-that-left is no longer connected to this service/);
    const savedRow = await db
      .selectFrom('processor_account')
      .selectAll()
      .where('organization_id', '=', 'org_lantern')
      .executeTakeFirstOrThrow();
    assert.deepEqual([savedRow.charges_enabled, savedRow.disabled_reason], [false, 'disconnected']);
    // After the account is connected again, the organization is reconciled without a failure.
    await setAccount('org_lantern', accountBefore);
    failed.length = 0;
    await pass();
    assert.deepEqual(failed, []);
  });

  test('continues after an event whose object does not exist any more', async () => {
    const id = await payDonation({ amount_cents: 8900 });
    const { processor } = deps;
    const missing = { id: 'evt_deleted', type: 'payout.paid', livemode: false, created: 1 };
    const listEvents: typeof processor.listEvents = async (...args) => [
      { ...missing, data: { object: { id: 'po_deleted' } } } as never,
      ...(await processor.listEvents(...args)),
    ];
    const failures: unknown[] = [];
    await reconcile(
      { ...deps, processor: { ...processor, listEvents } },
      {
        organizationId: 'org_harbor',
        onFailure: (_, error) => void failures.push(error),
        compareOptionsFor: () => undefined,
      },
      { onDifference: () => {}, onChecked: () => {} },
    );
    assert.deepEqual(failures, []);
    assert.equal((await donationOf(id)).amount_cents, 8900);
    const { events_processed_until } = await db
      .selectFrom('reconciliation')
      .select('events_processed_until')
      .where('organization_id', '=', 'org_harbor')
      .executeTakeFirstOrThrow();
    assert.ok(events_processed_until!.getTime() > Date.now() - DAY_MS);
  });

  test('finds payouts and their entries', async () => {
    await deliverEventsOf(await payDonation());
    await sandbox('/clock', { advance: 'week' });
    await markAllEventsHandled();
    const found = await runReconciliation('lists');
    assert.ok(found.some(({ description }) => description.startsWith('a payout of')));
    const payouts = await db
      .selectFrom('payout')
      .selectAll()
      .where('processor_payout_id', 'is not', null)
      .execute();
    assert.ok(payouts.length > 0);
    assert.ok((await db.selectFrom('balance_transaction').selectAll().execute()).length > 0);
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('stores what is not paid out yet, until a payout contains it', async () => {
    const unpaid = () =>
      db
        .selectFrom('balance_transaction')
        .select(['processor_payment_intent_id as payment', 'reporting_category'])
        .where('payout_id', 'is', null)
        .where('processor_transaction_id', 'is not', null) // Seeded ones have none.
        .execute();
    const payment = await payDonation();
    await deliverEventsOf(payment);
    await runReconciliation('lists');
    assert.deepEqual(await unpaid(), [{ payment, reporting_category: 'charge' }]);
    await runReconciliation('lists');
    assert.equal((await unpaid()).length, 1);
    await sandbox('/clock', { advance: 'week' });
    await runReconciliation('lists');
    assert.deepEqual(await unpaid(), []);
    const ofPayment = await db
      .selectFrom('balance_transaction')
      .selectAll()
      .where('processor_payment_intent_id', '=', payment)
      .execute();
    assert.equal(ofPayment.length, 1);
  });

  test('the first time, stores what is not paid out yet, however old it is', async () => {
    const paidOut = await payDonation();
    await sandbox('/clock', { advance: 'week' });
    const waiting = await payDonation();
    const charge = await chargeOf(waiting);
    const known = async () =>
      await db
        .selectFrom('balance_transaction')
        .select(['processor_payment_intent_id as payment', 'payout_id'])
        .where('processor_payment_intent_id', 'in', [paidOut, waiting])
        .execute();
    const { created } = await stripe.charges.retrieve(charge, {}, ACCOUNT);
    const compareSince = (from: Date) =>
      reconcile(
        deps,
        {
          organizationId: 'org_harbor',
          onFailure: (_, error) => {
            throw error;
          },
          compareOptionsFor: () => ({ from, repair: true }),
        },
        { onDifference: () => {}, onChecked: () => {} },
      );
    const afterwards = new Date((created + 60) * 1000);
    await markAllEventsHandled();
    await compareSince(afterwards);
    assert.deepEqual(await known(), []);
    await db.updateTable('reconciliation').set({ compared_at: null }).execute();
    await compareSince(afterwards);
    assert.deepEqual(await known(), [{ payment: waiting, payout_id: null }]);
    await sandbox('/clock', { advance: 'week' });
    await runReconciliation('lists');
  });

  test('finds and fetches a missing transaction of a payout', async () => {
    const { id } = await db
      .selectFrom('balance_transaction')
      .where('processor_transaction_id', 'is not', null)
      .select('id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('balance_transaction').where('id', '=', id).execute();
    const [found, ...others] = await runReconciliation('lists');
    assert.match(found?.description ?? '', /^the transactions of the payout add up to/);
    assert.equal(found?.isRepaired, true);
    assert.deepEqual(others, []);
    assert.deepEqual(await runReconciliation('lists'), []);
  });

  test('reports a payout whose transactions at Stripe do not add up', async () => {
    const { processor } = deps;
    const retrievePayout: typeof processor.retrievePayout = async (...args) => {
      const payout = await processor.retrievePayout(...args);
      return { ...payout, transactions: payout.transactions.slice(1) };
    };
    await db
      .deleteFrom('balance_transaction')
      .where('processor_transaction_id', 'is not', null)
      .execute();
    const [found] = await runReconciliation('lists', {
      ...deps,
      processor: { ...processor, retrievePayout },
    });
    assert.equal(found?.isRepaired, false);
    assert.ok((await countIncompletePayouts(db)) > 0);
    assert.equal((await checkPayouts({ db })).status, 'failed');
    assert.match(await deps.metrics.register.metrics(), /^connect_payouts_incomplete [1-9]/m);
    await runReconciliation('lists');
    assert.equal((await checkPayouts({ db })).status, 'passed');
  });

  test('reports differences that only a person can resolve', async () => {
    const id = await payDonation();
    await deliverEventsOf(id);
    const { id: donation } = await donationOf(id);
    await db
      .updateTable('donation')
      .set({ amount_cents: 2100 })
      .where('id', '=', donation)
      .execute();
    const [found] = await runReconciliation('lists');
    assert.deepEqual([found?.id, found?.isRepaired], [id, false]);
    assert.match(found?.description ?? '', /^2100 usd is recorded, 2000 usd was paid/);
    await db
      .updateTable('donation')
      .set({ amount_cents: 2000 })
      .where('id', '=', donation)
      .execute();
  });

  test('runs in one process at a time', async () => {
    const lock = <Result>(task: () => Promise<Result>) => tryWithLock(db, LOCKS.reconcile, task);
    const other = await lock(async () => await lock(async () => 'both'));
    assert.equal(other, undefined);
    assert.equal(await lock(async () => 'free again'), 'free again');
  });

  test('the reconciliation job runs as soon as it is started', async () => {
    const id = await payDonation({ amount_cents: 7700 });
    const job = startReconciler(deps);
    try {
      await eventually(() => donationOf(id).catch(() => undefined));
    } finally {
      await job.stop();
    }
    assert.ok(sandboxApi.logged.some((line) => line.includes('record differed from Stripe')));
  });
});
