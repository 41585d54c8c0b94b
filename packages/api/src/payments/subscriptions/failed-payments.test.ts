import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { eventually, startApi } from '../../../test-support/app/start-api.ts';

const api = await startApi({ sandbox: true });
const { db } = api;
const helpers = subscriptionHelpers(api);
const { createActive, makeCardDecline, statusOf, rowOf, donationsOf, advance, stripe, ON_ACCOUNT } =
  helpers;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A plan whose second payment was declined. */
async function createFailing(donation = {}) {
  const { email, ...plan } = await createActive(donation);
  await makeCardDecline(plan);
  await advance('month');
  await advance(2 * HOUR);
  return { ...(await statusOf(email, 'past_due')), email };
}

type Plan = Awaited<ReturnType<typeof createFailing>>;

/** Makes another card that of the plan, without paying the open invoice. */
async function changeCard({ processor_customer_id, processor_subscription_id }: Plan, id: string) {
  const customer = { customer: processor_customer_id };
  const { id: card } = await stripe.paymentMethods.attach(id, customer, ON_ACCOUNT);
  const change = { default_payment_method: card };
  await stripe.subscriptions.update(processor_subscription_id, change, ON_ACCOUNT);
  return card;
}

const attemptsOf = (email: string, count: number) =>
  eventually(async () => {
    const row = await rowOf(email);
    return row?.failed_attempts === count ? row : undefined;
  });

describe('a plan whose payment failed', () => {
  test('says why, after how many tries, and when the next one is', async () => {
    const plan = await createFailing();
    const row = await attemptsOf(plan.email, 1);
    assert.equal(row.failure_code, 'generic_decline');
    assert.match(row.failed_invoice_id!, /^in_/);
    const { data } = await stripe.invoices.list(
      { subscription: plan.processor_subscription_id, limit: 1 },
      ON_ACCOUNT,
    );
    assert.equal(row.next_attempt_at?.getTime(), data[0]!.next_payment_attempt! * 1000);
    const { details } = await db
      .selectFrom('mail')
      .select('details')
      .where('plan_id', '=', plan.id)
      .where('kind', '=', 'plan_failed')
      .executeTakeFirstOrThrow();
    assert.deepEqual(details, { failure_code: 'generic_decline' });
    await advance(3 * DAY + HOUR);
    const second = await attemptsOf(plan.email, 2);
    assert.ok(second.next_attempt_at! > row.next_attempt_at!);
    assert.equal(second.failed_invoice_id, row.failed_invoice_id);
  });

  test('forgets the reason with the card, and everything with the payment, which is recovered money', async () => {
    const plan = await createFailing();
    const { failed_invoice_id } = await attemptsOf(plan.email, 1);
    const card = await changeCard(plan, 'pm_card_visa');
    const changed = await eventually(async () => {
      const row = await rowOf(plan.email);
      return row?.payment_method_id === card ? row : undefined;
    });
    assert.partialDeepStrictEqual(changed, { status: 'past_due', failure_code: null });
    await advance(3 * DAY + HOUR);
    const paid = await statusOf(plan.email, 'active');
    const none = { failure_code: null, failed_attempts: null, next_attempt_at: null };
    assert.partialDeepStrictEqual(paid, { ...none, failed_invoice_id });
    const donations = await eventually(async () => {
      const rows = await donationsOf(plan.id);
      return rows.length === 2 ? rows : undefined;
    });
    assert.deepEqual(
      donations.map(({ recovered }) => recovered),
      [false, true],
    );
    await advance('month');
    await advance(2 * HOUR);
    const third = await eventually(async () => (await donationsOf(plan.id))[2]);
    assert.equal(third.recovered, false);
  });

  test('states no fee of a new amount for the payment of the old one', async () => {
    const plan = await createFailing({ amount_cents: 5181, fee_cover_cents: 181 });
    const { processor_subscription_id: subscriptionId, processor_customer_id: customerId } = plan;
    await api.deps.processor.changeSubscriptionAmount(
      { subscriptionId, customerId, ...ON_ACCOUNT },
      { currency: 'usd', frequency: 'monthly', amountCents: 51_524, feeCoverCents: 1524 },
    );
    await changeCard(plan, 'pm_card_visa');
    await advance(3 * DAY + HOUR);
    await statusOf(plan.email, 'active');
    await advance('month');
    await advance(2 * HOUR);
    const donations = await eventually(async () => {
      const rows = await donationsOf(plan.id);
      return rows.length === 3 ? rows : undefined;
    });
    assert.deepEqual(
      donations.map(({ amount_cents, fee_cover_cents }) => [amount_cents, fee_cover_cents]),
      [
        [5181, 181],
        [5181, 0],
        [51_524, 1524],
      ],
    );
  });
});
