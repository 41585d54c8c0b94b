import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { DAY_SECONDS, intentOf, startRecurringDonations } from '../../test-support/recurring.ts';
import { ACCOUNT, confirmInBrowser, callSandboxAdmin } from '../../test-support/start-sandbox.ts';

describe('a renewal that fails', () => {
  test('is retried after 3, 5 and 7 days; then the subscription is canceled', async () => {
    const { stripe, advance, paid, useMethod, eventTypesOf } = await startRecurringDonations();
    const { id, at } = await paid();
    await useMethod(id, 'pm_card_chargeCustomerFail');
    const due = at + 28 * DAY_SECONDS;
    await advance(due + 2 * 3600);
    const { status, latest_invoice } = await stripe.subscriptions.retrieve(id, {
      expand: ['latest_invoice'],
    });
    assert.equal(status, 'past_due');
    const invoice = latest_invoice as Stripe.Invoice;
    assert.deepEqual([invoice.status, invoice.attempt_count], ['open', 1]);
    assert.equal(invoice.next_payment_attempt, due + 3600 + 3 * DAY_SECONDS);
    await advance(due + 16 * DAY_SECONDS);
    const ended = await stripe.subscriptions.retrieve(id);
    assert.deepEqual(
      [ended.status, ended.cancellation_details?.reason],
      ['canceled', 'payment_failed'],
    );
    const failures = (await eventTypesOf(invoice.id ?? '')).filter(
      (type) => type === 'invoice.payment_failed',
    );
    assert.equal(failures.length, 4);
  });

  test('can be paid with another card, saved by a setup intent', async () => {
    const { url, stripe, customer, advance, paid, useMethod } = await startRecurringDonations();
    const { id, at } = await paid();
    await useMethod(id, 'pm_card_chargeCustomerFail');
    await advance(at + 30 * DAY_SECONDS);
    const setup = await stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      automatic_payment_methods: { enabled: true },
    });
    const response = await fetch(`${url}/v1/setup_intents/${setup.id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams({
        client_secret: setup.client_secret ?? '',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '5555555555554444',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
        'payment_method_data[card][cvc]': '123',
      }),
    });
    assert.equal(response.status, 200);
    const { payment_method } = await stripe.setupIntents.retrieve(setup.id);
    const method = String(payment_method);
    await stripe.subscriptions.update(id, { default_payment_method: method });
    const { latest_invoice } = await stripe.subscriptions.retrieve(id);
    const invoice = await stripe.invoices.pay(String(latest_invoice));
    assert.equal(invoice.status, 'paid');
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
  });

  test('because it needs authentication makes the subscription past_due and emits an event', async () => {
    const { url, stripe, advance, paid } = await startRecurringDonations();
    const { id, at, response } = await paid('4000002760003184');
    const { id: intent, client_secret } = response.body;
    await fetch(`${url}/v1/payment_intents/${intent}/authenticate`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams({ client_secret: client_secret ?? '', outcome: 'complete' }),
    });
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
    await advance(at + 30 * DAY_SECONDS);
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'past_due');
    const { data } = await stripe.events.list({ type: 'invoice.payment_action_required' });
    assert.equal(data.length, 2);
  });
});

test('the time of the sandbox can be advanced by a month', async () => {
  const { url, stripe, createSubscription } = await startRecurringDonations();
  const started = await createSubscription();
  await confirmInBrowser(url, intentOf(started.latest_invoice), '4242424242424242');
  const { now } = await callSandboxAdmin(url, '/clock', { seconds: 33 * DAY_SECONDS });
  assert.ok(Number(now) >= started.created + 33 * DAY_SECONDS);
  const { data } = await stripe.invoices.list({ subscription: started.id });
  assert.deepEqual(
    data.map(({ status }) => status),
    ['paid', 'paid'],
  );
});
