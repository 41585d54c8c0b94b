import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, mock, test } from 'node:test';
import type { DonationSummary, List, ProcessingPayment } from '@connect-embed/contract';
import { startManualEventsSandbox } from '../../../test-support/app/manual-events-sandbox.ts';
import { cardPayment } from '../../../test-support/donations/payment-snapshot.ts';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { permutations } from '../../../test-support/inputs/permutations.ts';
import { compareProcessing, compareStoredProcessing } from '../reconcile/compare-processing.ts';
import type { Difference } from '../reconcile/difference.ts';
import type { SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import type { PaymentState } from '../stripe/payment-state.ts';

const api = await startManualEventsSandbox();
const { db, deps, get, token, deliverEvent } = api;
const { createUnpaid, rowOf } = subscriptionHelpers(api);

/** What a simulated Stripe reports of subscriptions and payments, by their ids. */
const snapshots = new Map<string, SubscriptionSnapshot>();
const payments = new Map<string, { state: PaymentState; invoice: string; subscription: string }>();
const { processor } = deps;
mock.method(processor, 'retrieveSubscription', async (id: string) => snapshots.get(id)!);
mock.method(processor, 'retrievePaymentState', async (id: string) => payments.get(id)!.state);
mock.method(processor, 'retrieveInvoicePayment', async (id: string) =>
  [...payments.keys()].find((intent) => payments.get(intent)!.invoice === id),
);
mock.method(processor, 'findInvoiceOfPayment', async (id: string) => {
  const { invoice, subscription } = payments.get(id) ?? {};
  return subscription && { invoiceId: invoice, subscriptionId: subscription, isFirst: false };
});
mock.method(processor, 'retrieveSucceededPayment', async (id: string) => {
  const { amountCents, metadata, paymentMethod } = payments.get(id)!.state;
  return cardPayment({
    ...{ paymentIntentId: id, amountCents, metadata, paymentMethod, cardBrand: null },
  });
});

beforeEach(async () => {
  for (const table of ['mail', 'donation', 'payment_intent', 'processor_event'] as const)
    await db.deleteFrom(table).execute();
});

const MONDAY = Date.parse('2026-11-02T10:00:00Z') / 1000;
const DAY = 86_400;

/** A plan whose next payment is charged to the donor's bank account, without the donor. */
async function startRenewal() {
  const { email } = await createUnpaid({ fund_id: 'fund_meals' });
  await db
    .updateTable('recurring_plan')
    .set({ status: 'active' })
    .where('donor_email', '=', email)
    .execute();
  const row = (await rowOf(email))!;
  const { id: plan_id, processor_subscription_id: subscription } = row;
  const customer = row.processor_customer_id;
  const [intent, invoice] = [`pi_${randomUUID()}`, `in_${randomUUID()}`];
  const report = (status: SubscriptionSnapshot['status']) =>
    snapshots.set(subscription, {
      subscriptionId: subscription,
      livemode: false,
      customerId: customer,
      ...{ status, amountCents: 2500, currency: 'usd', frequency: 'monthly' },
      ...{ nextPaymentAt: new Date(), canceledAt: null, card: null },
      ...{ isFirstPaymentReturned: false, metadata: { organization_id: 'org_harbor', plan_id } },
    });
  report('active');
  const renewal = { email, plan_id, subscription, customer, intent, invoice, report };
  setPayment(renewal, { status: 'processing' });
  return renewal;
}

type Renewal = Awaited<ReturnType<typeof startRenewal>>;

const setPayment = ({ intent, invoice, subscription }: Renewal, change: Partial<PaymentState>) =>
  payments.set(intent, {
    ...{ invoice, subscription },
    state: {
      paymentIntentId: intent,
      livemode: false,
      ...{ status: 'processing', amountCents: 2500, currency: 'usd', chargeId: 'py_1' },
      ...{ paymentMethod: 'us_bank_account', confirmedAt: new Date(MONDAY * 1000), metadata: {} },
      failure: { code: null, message: null },
      ...change,
    },
  });

const eventOf = (type: string, created: number, object: object) => ({
  ...{ id: `evt_${randomUUID()}`, object: 'event', type, created },
  data: { object },
});
const paymentEvent = (type: string, { intent: id }: Renewal, created = MONDAY) =>
  eventOf(`payment_intent.${type}`, created, { id, amount: 2500, currency: 'usd', metadata: {} });
const failedEvent = (
  { intent: id }: Renewal,
  created = MONDAY + 3 * DAY,
  type = 'us_bank_account',
) =>
  eventOf('payment_intent.payment_failed', created, {
    ...{ id, amount: 2500, currency: 'usd', metadata: {} },
    last_payment_error: { code: 'insufficient_funds', payment_method: { type } },
  });
const invoiceEvent = (type: string, { invoice: id, subscription }: Renewal) =>
  eventOf(`invoice.${type}`, MONDAY + 3 * DAY, {
    id,
    parent: { subscription_details: { subscription, metadata: {} } },
  });

const onItsWay = async () => {
  const response = await get('/payment-intents?status=processing', token);
  return ((await response.json()) as List<ProcessingPayment>).data;
};
const donationsOf = ({ intent }: Renewal) =>
  db.selectFrom('donation').selectAll().where('processor_payment_intent_id', '=', intent).execute();
const mailKinds = async () =>
  (await db.selectFrom('mail').select('kind').orderBy('kind').execute()).map(({ kind }) => kind);

describe('a later payment of a recurring donation by bank debit', () => {
  test('is listed while it is on its way, without an email', async () => {
    const renewal = await startRenewal();
    const event = paymentEvent('processing', renewal);
    assert.equal(await deliverEvent(event), 'recorded');
    assert.equal(await deliverEvent(event), 'duplicate');
    assert.partialDeepStrictEqual(await onItsWay(), [
      {
        ...{ id: renewal.intent, amount_cents: 2500, currency: 'usd', recurring: true },
        ...{ payment_method: 'us_bank_account', fund_id: 'fund_meals', reference: null },
        ...{ donor_name: 'Ana Ruiz', donor_email: renewal.email },
        expected_at: '2026-11-06T10:00:00.000Z',
      },
    ]);
    const response = await get('/donations/summary', token);
    const { data } = (await response.json()) as DonationSummary;
    assert.partialDeepStrictEqual(data, [
      { currency: 'usd', count: 0, processing_count: 1, processing_amount_cents: 2500 },
    ]);
    assert.deepEqual(await mailKinds(), []);
  });

  test('is one donation when it succeeds, in every order of events', async () => {
    for (const isLive of [true, false]) {
      for (const order of permutations(['processing', 'succeeded', 'paid'])) {
        await db.deleteFrom('mail').execute();
        const renewal = await startRenewal();
        const events = {
          processing: paymentEvent('processing', renewal),
          succeeded: paymentEvent('succeeded', renewal, MONDAY + 3 * DAY),
          paid: invoiceEvent('paid', renewal),
        };
        if (isLive) await deliverEvent(events.processing);
        assert.equal((await onItsWay()).length, isLive ? 1 : 0);
        setPayment(renewal, { status: 'succeeded' });
        for (const name of [...order, ...order]) {
          await deliverEvent(events[name as keyof typeof events]);
          const [listed, donations] = [await onItsWay(), await donationsOf(renewal)];
          assert.ok(listed.length + donations.length <= 1, order.join());
        }
        assert.partialDeepStrictEqual(await donationsOf(renewal), [
          {
            ...{ plan_id: renewal.plan_id, recurring: true, payment_method: 'us_bank_account' },
            ...{ donor_email: renewal.email, fund_id: 'fund_meals', source: 'api' },
          },
        ]);
        assert.deepEqual(await onItsWay(), [], order.join());
        assert.deepEqual(await mailKinds(), ['receipt'], order.join());
      }
    }
  });

  test('makes the plan past due when it fails, with one email, in every order of events', async () => {
    for (const isLive of [true, false]) {
      for (const order of permutations(['processing', 'failed', 'unpaid'])) {
        await db.deleteFrom('mail').execute();
        const renewal = await startRenewal();
        const events = {
          processing: paymentEvent('processing', renewal),
          failed: failedEvent(renewal),
          unpaid: invoiceEvent('payment_failed', renewal),
        };
        if (isLive) await deliverEvent(events.processing);
        setPayment(renewal, { status: 'failed' });
        renewal.report('past_due');
        for (const name of [...order, ...order])
          await deliverEvent(events[name as keyof typeof events]);
        assert.equal((await rowOf(renewal.email))?.status, 'past_due');
        assert.deepEqual([await onItsWay(), await donationsOf(renewal)], [[], []], order.join());
        assert.deepEqual(await mailKinds(), ['plan_failed'], order.join());
      }
    }
  });

  test('is on its way again when Stripe tries it again, though its failure is reported late', async () => {
    const renewal = await startRenewal();
    await deliverEvent(paymentEvent('processing', renewal));
    setPayment(renewal, { chargeId: 'py_2', confirmedAt: new Date((MONDAY + 6 * DAY) * 1000) });
    await deliverEvent(paymentEvent('processing', renewal, MONDAY + 6 * DAY));
    await deliverEvent(failedEvent(renewal));
    assert.partialDeepStrictEqual(await onItsWay(), [{ expected_at: '2026-11-12T10:00:00.000Z' }]);
  });

  test('is no card testing, although Stripe tried a card of the donor before', async () => {
    const renewal = await startRenewal();
    await deliverEvent(paymentEvent('processing', renewal));
    await deliverEvent(failedEvent(renewal, MONDAY - DAY, 'card'));
    assert.equal((await onItsWay()).length, 1);
    const { failed_attempts } = await db
      .selectFrom('payment_intent')
      .select('failed_attempts')
      .where('id', '=', renewal.intent)
      .executeTakeFirstOrThrow();
    assert.equal(failed_attempts, 0);
    const cards = await db
      .selectFrom('processor_event')
      .select('type')
      .where('is_card', '=', true)
      .where('type', '=', 'payment_intent.payment_failed')
      .execute();
    assert.deepEqual(cards, []);
  });

  test('of a subscription of another system is ignored', async () => {
    const renewal = await startRenewal();
    const other = { ...renewal, subscription: `sub_${randomUUID()}` };
    setPayment(other, { status: 'processing' });
    assert.equal(await deliverEvent(paymentEvent('processing', other)), 'ignored');
    assert.deepEqual(await onItsWay(), []);
  });
});

describe('reconciliation of later payments by bank debit', () => {
  /** Compares both directions. @returns the differences */
  async function compare(listed: Renewal[] = []) {
    const differences: Difference[] = [];
    const report = {
      onDifference: (difference: Difference) => void differences.push(difference),
      onChecked: () => {},
    };
    const organization = { id: 'org_harbor', account: 'acct_harbor_street', livemode: false };
    const options = { from: new Date(0), repair: true };
    const intents = listed.map(({ intent: id, customer }) => ({ id, customer, metadata: {} }));
    await compareProcessing(deps, organization, options, intents as never[], report);
    await compareStoredProcessing(deps, organization, options, report);
    return differences;
  }

  test('stores one whose event was lost', async () => {
    const renewal = await startRenewal();
    const differences = await compare([renewal]);
    assert.partialDeepStrictEqual(differences, [{ id: renewal.intent, isRepaired: true }]);
    assert.partialDeepStrictEqual(await onItsWay(), [
      { id: renewal.intent, recurring: true, donor_email: renewal.email },
    ]);
    assert.deepEqual(await compare([renewal]), []);
  });

  test('records the donation of one that has succeeded', async () => {
    const renewal = await startRenewal();
    await deliverEvent(paymentEvent('processing', renewal));
    setPayment(renewal, { status: 'succeeded' });
    assert.partialDeepStrictEqual(await compare(), [{ id: renewal.intent, isRepaired: true }]);
    assert.partialDeepStrictEqual(await donationsOf(renewal), [{ plan_id: renewal.plan_id }]);
    assert.deepEqual([await onItsWay(), await mailKinds()], [[], ['receipt']]);
    assert.deepEqual(await compare(), []);
  });

  test('forgets one that was returned', async () => {
    const renewal = await startRenewal();
    await deliverEvent(paymentEvent('processing', renewal));
    setPayment(renewal, { status: 'failed' });
    assert.partialDeepStrictEqual(await compare(), [{ id: renewal.intent, isRepaired: true }]);
    assert.deepEqual([await onItsWay(), await mailKinds()], [[], []]);
    assert.deepEqual(await compare(), []);
  });
});
