import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { DAY_SECONDS, intentOf, startRecurringDonations } from '../../test-support/recurring.ts';
import { confirmInBrowser } from '../../test-support/start-sandbox.ts';

describe('a subscription', () => {
  test('starts incomplete, and is active when its first invoice is paid', async () => {
    const { url, stripe, customer, createSubscription, eventTypesOf } =
      await startRecurringDonations();
    const started = await createSubscription();
    assert.equal(started.status, 'incomplete');
    const invoice = started.latest_invoice as Stripe.Invoice;
    assert.partialDeepStrictEqual(invoice, {
      status: 'open',
      amount_due: 2500,
      billing_reason: 'subscription_create',
      customer_email: 'ada@example.org',
    });
    const { body } = await confirmInBrowser(url, intentOf(invoice), '4242424242424242');
    assert.equal(body.status, 'succeeded');

    const active = await stripe.subscriptions.retrieve(started.id, {
      expand: ['default_payment_method', 'latest_invoice', 'customer'],
    });
    assert.equal(active.status, 'active');
    const method = active.default_payment_method as Stripe.PaymentMethod;
    assert.deepEqual([method.card?.last4, method.customer], ['4242', customer]);
    assert.equal((active.latest_invoice as Stripe.Invoice).status, 'paid');
    const [item] = active.items.data;
    assert.equal(item?.price.unit_amount, 2500);
    assert.equal(item?.price.unit_amount_decimal?.toString(), '2500');
    // One month after 31 January is 28 February.
    assert.equal(item?.current_period_end, started.billing_cycle_anchor + 28 * DAY_SECONDS);
    assert.deepEqual((await eventTypesOf(started.id)).sort(), [
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  test('has a first period from its anchor, even if the second ends while it is created', async (t) => {
    const { createSubscription } = await startRecurringDonations();
    let now = Date.now();
    t.mock.method(Date, 'now', () => (now += 1000));
    const created = await createSubscription();
    const { current_period_start, current_period_end } = created.items.data[0]!;
    assert.equal(current_period_start, created.billing_cycle_anchor);
    assert.equal(current_period_end, created.billing_cycle_anchor + 28 * DAY_SECONDS);
  });

  test('can be found by its payment, and its payment by the subscription', async () => {
    const { stripe, paid } = await startRecurringDonations();
    const { id } = await paid();
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
    const { payments: own } = await stripe.invoices.retrieve(invoice?.id ?? '', {
      expand: ['payments'],
    });
    const intent = String(own?.data[0]?.payment.payment_intent);
    const payments = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      expand: ['data.invoice'],
    });
    const paidInvoice = payments.data[0]?.invoice as Stripe.Invoice;
    assert.deepEqual(
      [paidInvoice.id, paidInvoice.parent?.subscription_details?.metadata],
      [invoice?.id, { organization_id: 'org_harbor' }],
    );
    assert.equal(payments.data[0]?.status, 'paid');
  });

  test('renews: a draft is paid an hour later; periods are counted from the anchor', async () => {
    const { stripe, advance, paid } = await startRecurringDonations();
    const { id, at } = await paid();
    await advance(at + 28 * DAY_SECONDS + 1800);
    const [draft] = (await stripe.invoices.list({ subscription: id })).data;
    assert.deepEqual([draft?.status, draft?.billing_reason], ['draft', 'subscription_cycle']);
    await advance(at + 100 * DAY_SECONDS);
    const { data } = await stripe.invoices.list({ subscription: id });
    assert.deepEqual(
      data.map(({ status }) => status),
      ['paid', 'paid', 'paid', 'paid'],
    );
    assert.deepEqual(
      data.map(({ lines }) => new Date((lines.data[0]?.period.start ?? 0) * 1000).getUTCDate()),
      [30, 31, 28, 31],
    );
    const intents = await stripe.paymentIntents.list();
    assert.ok(intents.data.every(({ status }) => status === 'succeeded'));
    assert.equal(intents.data[0]?.description, 'Subscription update');
  });

  for (const [interval, interval_count, days] of [
    ['month', 3, 89],
    ['year', 1, 365],
  ] as const) {
    test(`can have a period of ${interval_count} ${interval}`, async () => {
      const { stripe, paid } = await startRecurringDonations();
      const { id, at } = await paid('4242424242424242', { interval, interval_count });
      const { items } = await stripe.subscriptions.retrieve(id);
      assert.equal(items.data[0]?.current_period_end, at + days * DAY_SECONDS);
    });
  }

  test('changes its amount from the next payment on', async () => {
    const { stripe, advance, paid } = await startRecurringDonations();
    const { id, at } = await paid();
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
    const price_data = {
      currency: 'usd',
      product: String(item?.price.product),
      unit_amount: 4000,
      recurring: { interval: 'month' },
    } as const;
    const items = [{ id: item?.id ?? '', price_data }];
    const changed = await stripe.subscriptions.update(id, { items, proration_behavior: 'none' });
    assert.equal(changed.items.data[0]?.id, item?.id);
    assert.equal(changed.items.data[0]?.price.unit_amount, 4000);
    await advance(at + 30 * DAY_SECONDS);
    const [renewal] = (await stripe.invoices.list({ subscription: id })).data;
    assert.equal(renewal?.amount_paid, 4000);
    await assert.rejects(stripe.subscriptions.update(id, { items }), /proration/);
  });

  test('can be paused and resumed', async () => {
    const { stripe, advance, paid } = await startRecurringDonations();
    const { id, at } = await paid();
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    await advance(at + 30 * DAY_SECONDS);
    assert.equal((await stripe.invoices.list({ subscription: id })).data[0]?.status, 'void');
    const resumed = await stripe.subscriptions.update(id, { pause_collection: '' });
    assert.equal(resumed.pause_collection, null);
    await advance(at + 60 * DAY_SECONDS);
    assert.equal((await stripe.invoices.list({ subscription: id })).data[0]?.status, 'paid');
  });

  test('is canceled immediately', async () => {
    const { stripe, paid, eventTypesOf } = await startRecurringDonations();
    const { id } = await paid();
    const { status, cancellation_details } = await stripe.subscriptions.cancel(id);
    assert.deepEqual(
      [status, cancellation_details?.reason],
      ['canceled', 'cancellation_requested'],
    );
    await assert.rejects(stripe.subscriptions.update(id, { metadata: '' }), { statusCode: 404 });
    assert.ok((await eventTypesOf(id)).includes('customer.subscription.deleted'));
  });

  test('expires after 23 hours if its first invoice is not paid', async () => {
    const { stripe, advance, createSubscription } = await startRecurringDonations();
    const { id, latest_invoice, created } = await createSubscription();
    await advance(created + DAY_SECONDS);
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'incomplete_expired');
    const { status } = await stripe.paymentIntents.retrieve(intentOf(latest_invoice).id);
    assert.equal(status, 'canceled');
  });

  test('is not created twice with one idempotency key', async () => {
    const { stripe, customer } = await startRecurringDonations();
    const { id: product } = await stripe.products.create({ name: 'Donation' });
    const recurring = { interval: 'month' } as const;
    const price_data = { currency: 'usd', product, unit_amount: 2500, recurring };
    const create = () =>
      stripe.subscriptions.create(
        { customer, items: [{ price_data }], payment_behavior: 'default_incomplete' },
        { idempotencyKey: customer },
      );
    assert.equal((await create()).id, (await create()).id);
    assert.equal((await stripe.subscriptions.list({ customer })).data.length, 1);
  });
});
