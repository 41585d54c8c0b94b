import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, mock, test } from 'node:test';
import { startManualEventsSandbox } from '../../../test-support/app/manual-events-sandbox.ts';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { permutations } from '../../../test-support/inputs/permutations.ts';
import type { Client } from '../stripe/client.ts';
import type { SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import { subscriptionChanges } from '../stripe/subscription-changes.ts';

const api = await startManualEventsSandbox();
const { db, deps, deliverEvent } = api;
const { createUnpaid, rowOf, mailsOf, donationsOf } = subscriptionHelpers(api);

/** What Stripe reports when a subscription is fetched, by its id. */
const snapshots = new Map<string, SubscriptionSnapshot>();
mock.method(deps.processor, 'retrieveSubscription', async (id: string) => snapshots.get(id)!);
mock.method(deps.processor, 'retrievePaymentState', async (paymentIntentId: string) => ({
  paymentIntentId,
  livemode: false,
  ...{ status: 'processing', amountCents: 2500, currency: 'usd', chargeId: 'py_1' },
  ...{ paymentMethod: 'us_bank_account', confirmedAt: new Date(), metadata: {} },
  failure: { code: null, message: null },
}));

/** Creates a monthly donation by bank debit, and simulates its subscription at Stripe. */
async function startPlan() {
  const { intent, email } = await createUnpaid();
  const row = (await rowOf(email))!;
  const { id: plan_id, processor_subscription_id: subscription } = row;
  const metadata = { organization_id: 'org_harbor', plan_id };
  const report = (changes: Partial<SubscriptionSnapshot>) =>
    snapshots.set(subscription, {
      subscriptionId: subscription,
      livemode: false,
      customerId: row.processor_customer_id,
      ...{ status: 'active', amountCents: 2500, currency: 'usd', frequency: 'monthly' },
      ...{ nextPaymentAt: new Date(), canceledAt: null, card: null, metadata },
      isFirstPaymentReturned: false,
      ...changes,
    });
  report({});
  return { intent, email, plan_id, subscription, metadata, report };
}

type Plan = Awaited<ReturnType<typeof startPlan>>;

const eventOf = (type: string, object: object) => ({
  ...{ id: `evt_${randomUUID()}`, object: 'event', type },
  data: { object },
});
const updated = ({ subscription: id, metadata }: Plan) =>
  eventOf('customer.subscription.updated', { id, metadata });
const voided = ({ subscription, metadata }: Plan) =>
  eventOf('invoice.voided', {
    id: `in_${randomUUID()}`,
    parent: { subscription_details: { subscription, metadata } },
  });
const paymentEvent = (type: string, { intent }: Plan) =>
  eventOf(type, {
    ...{ id: intent.payment_intent_id, amount: 2500, currency: 'usd', metadata: {} },
    last_payment_error: { code: 'insufficient_funds', payment_method: { type: 'us_bank_account' } },
  });
const mailsOfPayment = async ({ intent, plan_id }: Plan) => [
  ...(
    await db
      .selectFrom('mail')
      .select('kind')
      .where('payment_intent_id', '=', intent.payment_intent_id)
      .execute()
  ).map(({ kind }) => kind),
  ...(await mailsOf(plan_id)),
];

describe('the first payment of a recurring donation by bank debit', () => {
  test('is on its way: the plan is active, without a donation', async () => {
    const plan = await startPlan();
    await deliverEvent(updated(plan));
    await deliverEvent(paymentEvent('payment_intent.processing', plan));
    assert.equal((await rowOf(plan.email))?.status, 'active');
    assert.deepEqual(await donationsOf(plan.plan_id), []);
    const intent = await db
      .selectFrom('payment_intent')
      .selectAll()
      .where('id', '=', plan.intent.payment_intent_id)
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(intent, {
      ...{ status: 'processing', donor_name: 'Ana Ruiz', donor_email: plan.email },
    });
    assert.deepEqual(await mailsOfPayment(plan), ['donation_processing']);
  });

  test('was returned: the plan is past due and the donor gets one email, in every order of events', async (t) => {
    t.mock.method(deps.processor, 'retrievePaymentState', async () => ({ status: 'failed' }));
    for (const order of permutations(['updated', 'voided', 'failed'])) {
      const plan = await startPlan();
      plan.report({ status: 'past_due', isFirstPaymentReturned: true });
      const events = {
        updated: updated(plan),
        voided: voided(plan),
        failed: paymentEvent('payment_intent.payment_failed', plan),
      };
      for (const name of [...order, ...order])
        await deliverEvent(events[name as keyof typeof events]);
      assert.equal((await rowOf(plan.email))?.status, 'past_due');
      assert.deepEqual(await donationsOf(plan.plan_id), []);
      assert.deepEqual(await mailsOfPayment(plan), ['plan_first_failed'], order.join());
    }
  });

  test('was returned: the email is sent also if a crash lost the plan', async () => {
    const plan = await startPlan();
    plan.report({ status: 'past_due', isFirstPaymentReturned: true });
    await db.deleteFrom('recurring_plan').where('id', '=', plan.plan_id).execute();
    await Promise.all([updated(plan), voided(plan), updated(plan)].map(deliverEvent));
    assert.deepEqual(await mailsOf(plan.plan_id), ['plan_first_failed']);
  });
});

describe('a new payment method after the first payment was returned', () => {
  /** Changes the payment method of a subscription at a simulated Stripe, and returns the updates that it received. */
  async function change(subscription: object, times = 1) {
    const updates: { params: object; key: string | undefined }[] = [];
    const stripe = {
      setupIntents: {
        retrieve: () =>
          Promise.resolve({ status: 'succeeded', customer: 'cus_1', payment_method: 'pm_new' }),
      },
      subscriptions: {
        update: (_: string, params: object, { idempotencyKey }: { idempotencyKey?: string }) => {
          updates.push({ params, key: idempotencyKey });
          return Promise.resolve({ id: 'sub_1', pause_collection: null, ...subscription });
        },
      },
    };
    const { changeSubscriptionCard } = subscriptionChanges({ stripe } as unknown as Client);
    const target = { subscriptionId: 'sub_1', customerId: 'cus_1', stripeAccount: 'acct_1' };
    for (let nth = 0; nth < times; nth += 1)
      assert.ok(await changeSubscriptionCard(target, 'seti_1'));
    return updates.filter(({ params }) => 'billing_cycle_anchor' in params);
  }

  const latest_invoice = { id: 'in_1', billing_reason: 'subscription_create', status: 'void' };

  test('is charged at once', async () => {
    const [started, ...others] = await change({ status: 'active', latest_invoice });
    assert.deepEqual(others, []);
    assert.deepEqual(started?.params, {
      default_payment_method: 'pm_new',
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
  });

  test('is charged once, though the page and the event both change it', async () => {
    const started = await change({ status: 'active', latest_invoice }, 2);
    assert.equal(new Set(started.map(({ key }) => key)).size, 1);
  });

  test('is not charged while the donation is paused, or if the first payment was made', async () => {
    const paid = { ...latest_invoice, status: 'paid' };
    const pause_collection = { behavior: 'void' };
    assert.deepEqual(await change({ status: 'active', latest_invoice, pause_collection }), []);
    assert.deepEqual(await change({ status: 'active', latest_invoice: paid }), []);
  });
});

describe('a mandate that ended', () => {
  const mandate = (payment_method: string, status = 'inactive') =>
    eventOf('mandate.updated', { id: `mandate_${randomUUID()}`, status, payment_method });

  test('is stored with the plan until it has a new payment method, and causes one email', async () => {
    const plan = await startPlan();
    const card = { id: `pm_${randomUUID()}`, label: 'us_bank_account 6789' };
    plan.report({ card });
    await deliverEvent(updated(plan));
    assert.equal(await deliverEvent(mandate(card.id, 'active')), 'ignored');
    assert.equal((await rowOf(plan.email))?.payment_method_lost_at, null);
    const ended = mandate(card.id);
    assert.equal(await deliverEvent(ended), 'recorded');
    assert.equal(await deliverEvent(ended), 'duplicate');
    assert.equal(await deliverEvent(mandate(card.id)), 'duplicate');
    // Another change of the subscription does not hide that it cannot be charged.
    plan.report({ card, amountCents: 3000 });
    await deliverEvent(updated(plan));
    assert.ok((await rowOf(plan.email))?.payment_method_lost_at);
    assert.deepEqual(await mailsOf(plan.plan_id), ['plan_method_lost', 'plan_amount']);
    plan.report({ card: { id: `pm_${randomUUID()}`, label: 'visa 4242' } });
    await deliverEvent(updated(plan));
    assert.equal((await rowOf(plan.email))?.payment_method_lost_at, null);
  });

  test('of a canceled plan, or of another system, changes nothing', async () => {
    const plan = await startPlan();
    const card = { id: `pm_${randomUUID()}`, label: 'us_bank_account 6789' };
    plan.report({ card, status: 'canceled', canceledAt: new Date() });
    await deliverEvent(updated(plan));
    assert.equal(await deliverEvent(mandate(card.id)), 'duplicate');
    assert.equal(await deliverEvent(mandate('pm_other')), 'duplicate');
    assert.equal((await rowOf(plan.email))?.payment_method_lost_at, null);
  });
});
