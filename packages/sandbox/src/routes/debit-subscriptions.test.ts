import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { IBAN, bankDebitsAt, sepa } from '../../test-support/bank-debits.ts';
import { DAY_SECONDS, intentOf, startRecurringDonations } from '../../test-support/recurring.ts';
import { ACCOUNT, callSandboxAdmin } from '../../test-support/start-sandbox.ts';

/** Starts a monthly donation whose first payment is a SEPA debit. */
async function start(iban: string) {
  const donor = await startRecurringDonations();
  const { url, stripe, createSubscription } = donor;
  const { confirmDebit, settled } = bankDebitsAt(url);
  const { id, latest_invoice, created } = await createSubscription(
    {
      payment_settings: {
        payment_method_types: ['card', 'sepa_debit'],
        save_default_payment_method: 'on_subscription',
      },
    },
    { currency: 'eur', recurring: { interval: 'month' } },
  );
  const intent = intentOf(latest_invoice);
  const { body } = await confirmDebit(intent, sepa(iban));
  assert.equal(body.status, 'processing');
  /** The status of the subscription, and those of its invoices. */
  const statuses = async () => {
    const { data } = await stripe.invoices.list({ subscription: id });
    const { status } = await stripe.subscriptions.retrieve(id);
    return [status, ...data.map((invoice) => invoice.status)];
  };
  const invoice = (latest_invoice as Stripe.Invoice).id ?? '';
  return { ...donor, id, at: created, intent: intent.id, invoice, settled, statuses };
}

describe('a subscription by debit', () => {
  test('is active while its first payment is processing, and its invoice is paid later', async () => {
    const { url, stripe, id, intent, invoice, customer, settled, statuses } = await start(
      IBAN.succeedsLate,
    );
    assert.deepEqual(await statuses(), ['active', 'open']);
    await assert.rejects(stripe.invoices.pay(invoice), /processing/);
    await assert.rejects(stripe.invoices.voidInvoice(invoice), /processing/);
    const { default_payment_method } = await stripe.subscriptions.retrieve(id, {
      expand: ['default_payment_method'],
    });
    const method = default_payment_method as Stripe.PaymentMethod;
    assert.deepEqual([method.sepa_debit?.last4, method.customer], ['3204', customer]);
    await callSandboxAdmin(url, '/clock', { seconds: 180 });
    assert.equal((await settled(intent)).intent.status, 'succeeded');
    assert.deepEqual(await statuses(), ['active', 'paid']);
  });

  test('stays active if its first payment fails; the invoice is void', async () => {
    const { url, stripe, intent, invoice, statuses, eventTypesOf } = await start(IBAN.failsLate);
    await callSandboxAdmin(url, '/clock', { seconds: 180 });
    assert.deepEqual(await statuses(), ['active', 'void']);
    const types = await eventTypesOf(invoice);
    assert.deepEqual(types.filter((type) => type.startsWith('invoice.')).slice(0, 2), [
      'invoice.voided',
      'invoice.payment_failed',
    ]);
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(intent);
    assert.deepEqual([status, last_payment_error?.code], ['canceled', 'debit_not_authorized']);
  });

  test('starts anew with another method: a new period is paid at once', async () => {
    const { stripe, id, at, advance, useMethod, statuses } = await start(IBAN.fails);
    await advance(at + 10 * DAY_SECONDS);
    await useMethod(id, 'pm_card_visa');
    const renewed = await stripe.subscriptions.update(id, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
    const anchor = renewed.billing_cycle_anchor;
    assert.ok(anchor >= at + 10 * DAY_SECONDS);
    assert.equal(renewed.items.data[0]?.current_period_start, anchor);
    assert.deepEqual(await statuses(), ['active', 'paid', 'void']);
    const invoice = await stripe.invoices.retrieve(String(renewed.latest_invoice));
    assert.deepEqual([invoice.billing_reason, invoice.amount_paid], ['subscription_update', 2500]);
    await advance(at + 45 * DAY_SECONDS);
    assert.deepEqual(await statuses(), ['active', 'paid', 'paid', 'void']);
  });

  test('is past_due if the payment of a new period fails', async () => {
    const { stripe, id, useMethod, statuses } = await start(IBAN.fails);
    await useMethod(id, 'pm_card_chargeCustomerFail');
    await stripe.subscriptions.update(id, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
    assert.deepEqual(await statuses(), ['past_due', 'open', 'void']);
  });

  test('renews by debit, which is processing first', async () => {
    const { stripe, id, at, advance, useMethod, statuses } = await start(IBAN.succeeds);
    await useMethod(id, 'pm_successDelayed_at');
    const due = at + 28 * DAY_SECONDS + 3600;
    await advance(due);
    assert.deepEqual(await statuses(), ['active', 'open', 'paid']);
    const [intent] = (await stripe.paymentIntents.list()).data;
    assert.equal(intent?.status, 'processing');
    await advance(due + 180);
    assert.deepEqual(await statuses(), ['active', 'paid', 'paid']);
  });

  test('is past_due after a renewal that fails, and is retried', async () => {
    const { id, at, advance, useMethod, statuses } = await start(IBAN.succeeds);
    await useMethod(id, 'pm_failedDelayed_at');
    const due = at + 28 * DAY_SECONDS + 3600;
    await advance(due + 180);
    assert.deepEqual(await statuses(), ['past_due', 'open', 'paid']);
    await useMethod(id, 'pm_success_at');
    await advance(due + 4 * DAY_SECONDS);
    assert.deepEqual(await statuses(), ['active', 'paid', 'paid']);
  });

  test('is past_due after a renewal without a mandate', async () => {
    const { url, stripe, id, at, advance, statuses } = await start(IBAN.succeeds);
    const { default_payment_method } = await stripe.subscriptions.retrieve(id);
    await callSandboxAdmin(url, '/mandates/end', {
      account: ACCOUNT,
      payment_method: default_payment_method,
    });
    await advance(at + 29 * DAY_SECONDS);
    assert.deepEqual(await statuses(), ['past_due', 'open', 'paid']);
    const [intent] = (await stripe.paymentIntents.list()).data;
    assert.equal(intent?.last_payment_error?.code, 'payment_intent_mandate_invalid');
  });

  test('that is canceled while a debit is processing is not started again', async () => {
    for (const [iban, invoiceStatus] of [
      [IBAN.succeedsLate, 'paid'],
      [IBAN.failsLate, 'void'],
    ] as const) {
      const { url, stripe, id, statuses } = await start(iban);
      await stripe.subscriptions.cancel(id);
      assert.deepEqual(await statuses(), ['canceled', 'open']);
      await callSandboxAdmin(url, '/clock', { seconds: 180 });
      assert.deepEqual(await statuses(), ['canceled', invoiceStatus]);
    }
  });

  test('rejects a method that the currency does not permit', async () => {
    const { createSubscription } = await startRecurringDonations();
    await assert.rejects(
      createSubscription({ payment_settings: { payment_method_types: ['sepa_debit'] } }),
      { param: 'payment_settings[payment_method_types]' },
    );
  });
});
