import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { IBAN, bankDebitsAt, sepa } from '../../test-support/bank-debits.ts';
import { DAY_SECONDS, intentOf, recurringDonationsAt } from '../../test-support/recurring.ts';
import { ACCOUNT, callSandboxAdmin, startTestSandbox } from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const { stripe, confirmDebit, settled } = bankDebitsAt(url);
const { createDonor, createSubscription, eventTypesOf } = recurringDonationsAt(url);

const recurring = { interval: 'month' } as const;

/** Starts a monthly donation whose first payment is a SEPA debit. */
async function start(iban: string) {
  const donor = await createDonor();
  const product = await stripe.products.create({ name: 'Monthly donation' });
  const price_data = { currency: 'eur', product: product.id, unit_amount: 2500, recurring };
  const { id, latest_invoice } = await createSubscription(donor.customer, {
    items: [{ price_data }],
    payment_settings: {
      payment_method_types: ['card', 'sepa_debit'],
      save_default_payment_method: 'on_subscription',
    },
  });
  const intent = intentOf(latest_invoice);
  const { body } = await confirmDebit(intent, sepa(iban));
  assert.equal(body.status, 'processing');
  return { ...donor, id, intent: intent.id, invoice: (latest_invoice as Stripe.Invoice).id ?? '' };
}

const useMethod = async (subscription: string, customer: string, token: string) => {
  const { id } = await stripe.paymentMethods.attach(token, { customer });
  await stripe.subscriptions.update(subscription, { default_payment_method: id });
  return id;
};

const statusesOf = async (subscription: string) => {
  const { data } = await stripe.invoices.list({ subscription });
  const { status } = await stripe.subscriptions.retrieve(subscription);
  return [status, ...data.map((invoice) => invoice.status)];
};

describe('a subscription by debit', () => {
  test('is active while its first payment is processing, and its invoice is paid later', async () => {
    const { id, intent, invoice, customer } = await start(IBAN.succeedsLate);
    assert.deepEqual(await statusesOf(id), ['active', 'open']);
    await assert.rejects(stripe.invoices.pay(invoice), /processing/);
    await assert.rejects(stripe.invoices.voidInvoice(invoice), /processing/);
    const { default_payment_method } = await stripe.subscriptions.retrieve(id, {
      expand: ['default_payment_method'],
    });
    const method = default_payment_method as Stripe.PaymentMethod;
    assert.deepEqual([method.sepa_debit?.last4, method.customer], ['3204', customer]);
    await callSandboxAdmin(url, '/clock', { seconds: 180 });
    assert.equal((await settled(intent)).intent.status, 'succeeded');
    assert.deepEqual(await statusesOf(id), ['active', 'paid']);
  });

  test('stays active if its first payment fails; the invoice is void', async () => {
    const { id, intent, invoice } = await start(IBAN.failsLate);
    await callSandboxAdmin(url, '/clock', { seconds: 180 });
    assert.deepEqual(await statusesOf(id), ['active', 'void']);
    const types = await eventTypesOf(invoice);
    assert.deepEqual(types.filter((type) => type.startsWith('invoice.')).slice(0, 2), [
      'invoice.voided',
      'invoice.payment_failed',
    ]);
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(intent);
    assert.deepEqual([status, last_payment_error?.code], ['canceled', 'debit_not_authorized']);
  });

  test('starts anew with another method: a new period is paid at once', async () => {
    const { id, customer, at, advance } = await start(IBAN.fails);
    await advance(at + 10 * DAY_SECONDS);
    await useMethod(id, customer, 'pm_card_visa');
    const renewed = await stripe.subscriptions.update(id, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
    assert.equal(renewed.billing_cycle_anchor, at + 10 * DAY_SECONDS);
    assert.equal(renewed.items.data[0]?.current_period_start, at + 10 * DAY_SECONDS);
    assert.deepEqual(await statusesOf(id), ['active', 'paid', 'void']);
    const invoice = await stripe.invoices.retrieve(String(renewed.latest_invoice));
    assert.deepEqual([invoice.billing_reason, invoice.amount_paid], ['subscription_update', 2500]);
    await advance(at + 45 * DAY_SECONDS);
    assert.deepEqual(await statusesOf(id), ['active', 'paid', 'paid', 'void']);
  });

  test('is past_due if the payment of a new period fails', async () => {
    const { id, customer } = await start(IBAN.fails);
    await useMethod(id, customer, 'pm_card_chargeCustomerFail');
    const change = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const;
    await assert.rejects(
      stripe.subscriptions.update(id, { ...change, payment_behavior: 'error_if_incomplete' }),
      { code: 'card_declined' },
    );
    assert.deepEqual(await statusesOf(id), ['active', 'void']);
    await stripe.subscriptions.update(id, change);
    assert.deepEqual(await statusesOf(id), ['past_due', 'open', 'void']);
  });

  test('renews by debit, which is processing first', async () => {
    const { id, customer, at, advance } = await start(IBAN.succeeds);
    await useMethod(id, customer, 'pm_successDelayed_at');
    const due = at + 28 * DAY_SECONDS + 3600;
    await advance(due);
    assert.deepEqual(await statusesOf(id), ['active', 'open', 'paid']);
    const [intent] = (await stripe.paymentIntents.list({ customer })).data;
    assert.equal(intent?.status, 'processing');
    await advance(due + 180);
    assert.deepEqual(await statusesOf(id), ['active', 'paid', 'paid']);
  });

  test('is past_due after a renewal that fails, and is retried', async () => {
    const { id, customer, at, advance } = await start(IBAN.succeeds);
    await useMethod(id, customer, 'pm_failedDelayed_at');
    const due = at + 28 * DAY_SECONDS + 3600;
    await advance(due + 180);
    assert.deepEqual(await statusesOf(id), ['past_due', 'open', 'paid']);
    await useMethod(id, customer, 'pm_success_at');
    await advance(due + 4 * DAY_SECONDS);
    assert.deepEqual(await statusesOf(id), ['active', 'paid', 'paid']);
  });

  test('is past_due after a renewal without a mandate', async () => {
    const { id, at, advance } = await start(IBAN.succeeds);
    const { default_payment_method } = await stripe.subscriptions.retrieve(id);
    await callSandboxAdmin(url, '/mandates/end', {
      account: ACCOUNT,
      payment_method: default_payment_method,
    });
    await advance(at + 29 * DAY_SECONDS);
    assert.deepEqual(await statusesOf(id), ['past_due', 'open', 'paid']);
  });

  test('that is canceled while a debit is processing is not started again', async () => {
    for (const [iban, invoiceStatus] of [
      [IBAN.succeedsLate, 'paid'],
      [IBAN.failsLate, 'void'],
    ] as const) {
      const { id } = await start(iban);
      await stripe.subscriptions.cancel(id);
      assert.deepEqual(await statusesOf(id), ['canceled', 'open']);
      await callSandboxAdmin(url, '/clock', { seconds: 180 });
      assert.deepEqual(await statusesOf(id), ['canceled', invoiceStatus]);
    }
  });

  test('rejects a method that the currency does not permit', async () => {
    const { customer } = await createDonor();
    await assert.rejects(
      createSubscription(customer, { payment_settings: { payment_method_types: ['sepa_debit'] } }),
      { param: 'payment_settings[payment_method_types]' },
    );
  });
});
