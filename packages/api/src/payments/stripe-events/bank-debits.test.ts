import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { eventually, startApi, stripeAt } from '../../../test-support/app/start-api.ts';

// The sandbox delivers its events itself, and decides debits a moment after they were confirmed.
const api = await startApi({ sandbox: true });
const { db, deps, post, createKey } = api;
const stripe = stripeAt(api.sandboxUrl);
const { createUnpaid, createActive, rowOf, donationsOf, mailsOf, advance, ON_ACCOUNT } =
  subscriptionHelpers(api);
const { token } = await createKey();

/** Confirms a payment with a test payment method, which need not be one that the organization offers. */
async function confirm(id: string, payment_method: string): Promise<void> {
  const allowed_payment_method_types = ['card', 'us_bank_account'];
  await stripe.paymentIntents.update(id, { allowed_payment_method_types }, ON_ACCOUNT);
  await stripe.paymentIntents.confirm(id, { payment_method }, ON_ACCOUNT);
}

const statusOf = (id: string, status: string) =>
  eventually(async () => {
    const row = await db
      .selectFrom('payment_intent')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.status === status ? row : undefined;
  });

async function donateBy(method: string): Promise<string> {
  const body = { amount_cents: 2000, donor_email: 'ana@example.org' };
  const response = await post('/payment-intents', token, body);
  const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
  await confirm(id, method);
  return id;
}

const findDonation = (id: string) =>
  db
    .selectFrom('donation')
    .selectAll()
    .where('processor_payment_intent_id', '=', id)
    .executeTakeFirst();

const mailsOfPayment = async (id: string) =>
  (await db.selectFrom('mail').select('kind').where('payment_intent_id', '=', id).execute()).map(
    ({ kind }) => kind,
  );

describe('a bank debit', () => {
  test('becomes a donation when its money arrives', async () => {
    const id = await donateBy('pm_usBankAccount_success');
    await statusOf(id, 'succeeded');
    assert.partialDeepStrictEqual(await findDonation(id), {
      ...{ payment_method: 'us_bank_account', card_brand: null, amount_cents: 2000 },
      donor_email: 'ana@example.org',
    });
  });

  test('that is returned is no donation, and the donor is told once', async () => {
    const id = await donateBy('pm_usBankAccount_insufficientFunds');
    const row = await statusOf(id, 'failed');
    assert.partialDeepStrictEqual(row, {
      ...{ failure_code: 'insufficient_funds', payment_method: 'us_bank_account' },
      failed_attempts: 0,
    });
    assert.equal(await findDonation(id), undefined);
    assert.deepEqual(
      (await mailsOfPayment(id)).filter((kind) => kind === 'donation_returned'),
      ['donation_returned'],
    );
    await confirm(id, 'pm_card_visa');
    await statusOf(id, 'succeeded');
    assert.equal((await findDonation(id))?.payment_method, 'card');
  });

  test('that is disputed has the dispute states of a card', async () => {
    const id = await donateBy('pm_usBankAccount_dispute');
    const donation = await eventually(async () => {
      const row = await findDonation(id);
      return row && row.dispute_status !== 'none' ? row : undefined;
    });
    assert.equal(donation.payment_method, 'us_bank_account');
    assert.ok(['open', 'lost'].includes(donation.dispute_status));
  });
});

describe('a monthly donation by bank debit', () => {
  test('is past due when the first debit is returned, and starts anew with another method', async () => {
    const { intent, email } = await createUnpaid();
    await confirm(intent.payment_intent_id, 'pm_usBankAccount_accountClosed');
    const plan = await eventually(async () => {
      const row = await rowOf(email);
      return row?.status === 'past_due' ? row : undefined;
    });
    await statusOf(intent.payment_intent_id, 'failed');
    assert.deepEqual(await donationsOf(plan.id), []);
    assert.deepEqual(await mailsOf(plan.id), ['plan_first_failed']);
    const { details } = await db
      .selectFrom('mail')
      .select('details')
      .where('plan_id', '=', plan.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(details, { failure_code: 'account_closed' });
    assert.ok(!(await mailsOfPayment(intent.payment_intent_id)).includes('donation_returned'));

    const { processor_subscription_id: subscription, processor_customer_id: customer } = plan;
    const setup = await stripe.setupIntents.create(
      { customer, payment_method: 'pm_card_visa', confirm: true, usage: 'off_session' },
      ON_ACCOUNT,
    );
    const target = {
      subscriptionId: subscription,
      customerId: customer,
      stripeAccount: 'acct_harbor_street',
    };
    const change = () => deps.processor.changeSubscriptionCard(target, setup.id);
    assert.deepEqual(await Promise.all([change(), change()]), [true, true]);
    await eventually(async () => (await donationsOf(plan.id))[0]);
    const active = await eventually(async () => {
      const row = await rowOf(email);
      return row?.status === 'active' && row.card_label === 'visa 4242' ? row : undefined;
    });
    assert.equal(active.payment_method_lost_at, null);
    const { data } = await stripe.invoices.list({ subscription, status: 'paid' }, ON_ACCOUNT);
    assert.equal(data.length, 1);
    assert.equal((await donationsOf(plan.id)).length, 1);
  });

  test('is renewed by debit: its later payment is found by its invoice, and becomes a donation', async () => {
    const plan = await createActive();
    const { id: default_payment_method } = await stripe.paymentMethods.attach(
      'pm_usBankAccount_success',
      { customer: plan.processor_customer_id },
      ON_ACCOUNT,
    );
    const subscription = plan.processor_subscription_id;
    await stripe.subscriptions.update(
      subscription,
      { default_payment_method, payment_settings: { payment_method_types: '' } },
      ON_ACCOUNT,
    );
    await advance('month');
    await advance(2 * 3600);
    const [first, renewal] = await eventually(async () => {
      const donations = await donationsOf(plan.id);
      return donations.length === 2 ? donations : undefined;
    });
    assert.equal(renewal?.payment_method, 'us_bank_account');
    for (const [donation, isFirst] of [
      [first, true],
      [renewal, false],
    ] as const) {
      const intent = donation!.processor_payment_intent_id!;
      assert.partialDeepStrictEqual(
        await deps.processor.findInvoiceOfPayment(intent, ON_ACCOUNT.stripeAccount),
        { subscriptionId: subscription, isFirst },
      );
    }
    const oneTime = await donateBy('pm_usBankAccount_success');
    assert.equal(
      await deps.processor.findInvoiceOfPayment(oneTime, ON_ACCOUNT.stripeAccount),
      undefined,
    );
  });
});
