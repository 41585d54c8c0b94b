import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { startFaultyNetwork } from '../../test-support/network/faulty-network.ts';
import { subscriptionHelpers } from '../../test-support/donations/subscriptions.ts';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { readConfig } from '../config.ts';
import { createProcessor } from './stripe/processor.ts';
import { prepareEvent } from './stripe-events/handlers.ts';
import type { Difference } from './reconcile/difference.ts';
import { reconcile } from './reconcile/reconcile.ts';

const sandboxApi = await startManualEventsSandbox();
const { deps, stripe, donationOf } = sandboxApi;
const { createUnpaid, pay, advance } = subscriptionHelpers(sandboxApi);

const network = await startFaultyNetwork(sandboxApi.sandboxUrl);
after(network.stop);
/**
 * Dependencies whose processor client reaches the sandbox through `network`, which injects faults.
 */
const depsWithNetwork = {
  ...deps,
  processor: createProcessor(readConfig({ SANDBOX_URL: network.url }).processor),
};
network.onlyMethod = 'POST';

const metadataOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).metadata;

/**
 * Returns the `invoice.paid` events of a donor's subscription and their payment intents, oldest
 * first.
 */
async function paidInvoices(email: string): Promise<{ event: Stripe.Event; intent: string }[]> {
  const { data } = await stripe.events.list({ type: 'invoice.paid', limit: 100 }, ACCOUNT);
  const found = [];
  for (const event of data.reverse()) {
    const { id, customer_email } = event.data.object as Stripe.Invoice;
    if (customer_email !== email) continue;
    const invoice = await stripe.invoices.retrieve(id!, { expand: ['payments'] }, ACCOUNT);
    found.push({ event, intent: invoice.payments!.data[0]!.payment.payment_intent as string });
  }
  return found;
}

/** Compares Stripe's lists with the donations. */
async function compareLists({ repair = true } = {}): Promise<Difference[]> {
  const differences: Difference[] = [];
  const lists = { from: new Date(0), repair };
  await reconcile(
    deps,
    {
      organizationId: 'org_harbor',
      onFailure: (_, error) => assert.fail(String(error)),
      compareOptionsFor: () => lists,
    },
    { onDifference: (difference) => void differences.push(difference), onChecked: () => {} },
  );
  return differences;
}

describe('the reference of a donation in the metadata at Stripe', () => {
  test('is set on every payment of a subscription', async () => {
    const { intent, email } = await createUnpaid();
    await pay(intent);
    await advance('month');
    await advance(2 * 3600);
    const paid = await paidInvoices(email);
    assert.equal(paid.length, 2);
    assert.equal(paid[0]!.intent, intent.payment_intent_id);
    const references = [];
    for (const { event, intent: id } of paid) {
      assert.equal(await sandboxApi.deliverEvent(event), 'recorded');
      const { reference } = await donationOf(id);
      assert.equal((await metadataOf(id))['reference'], reference);
      references.push(reference);
    }
    assert.equal(references[0], intent.reference);
    assert.equal(new Set(references).size, 2);
  });

  test('is set by reconciliation if Stripe failed when the donation was recorded', async () => {
    await compareLists();
    const { intent, email } = await createUnpaid();
    await pay(intent);
    const [paid] = await paidInvoices(email);
    network.faults.push(...Array<{ status: number }>(8).fill({ status: 500 }));
    const outcome = await prepareEvent({ ...paid!.event, account: ACCOUNT.stripeAccount })(
      depsWithNetwork,
    );
    assert.equal(outcome, 'recorded');
    const { reference } = await donationOf(paid!.intent);
    assert.equal(reference, intent.reference);
    assert.equal((await metadataOf(paid!.intent))['reference'], undefined);
    assert.ok(network.faults.length < 8);
    await compareLists({ repair: false });
    assert.equal((await metadataOf(paid!.intent))['reference'], undefined);
    const differencesOfPayment = (found: Difference[]) =>
      found.filter(({ id }) => id === paid!.intent);
    assert.deepEqual(
      differencesOfPayment(await compareLists()),
      [],
      'No money differs, so it is no difference.',
    );
    assert.equal((await metadataOf(paid!.intent))['reference'], reference);
  });

  test('is set by reconciliation on older donations, which is not reported as a difference', async () => {
    const created = await stripe.paymentIntents.create(
      {
        amount: 1700,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata: { organization_id: 'org_harbor' },
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      ACCOUNT,
    );
    await sandboxApi.deliverEventsOf(created.id);
    await stripe.paymentIntents.update(created.id, { metadata: { reference: '' } }, ACCOUNT);
    await sandboxApi.db
      .updateTable('donation')
      .set({ payment_method: null, card_brand: null })
      .where('processor_payment_intent_id', '=', created.id)
      .execute();
    assert.deepEqual(await compareLists(), []);
    const { reference, payment_method } = await donationOf(created.id);
    assert.equal(payment_method, 'card');
    assert.equal((await metadataOf(created.id))['reference'], reference);
  });

  test('keeps the other metadata of the payment and is sent once', async () => {
    const created = await stripe.paymentIntents.create(
      {
        amount: 1500,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata: { organization_id: 'org_harbor', gala: 'table 4' },
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      ACCOUNT,
    );
    const [event] = (await sandboxApi.eventsOf(created.id)).filter(
      ({ type }) => type === 'payment_intent.succeeded',
    );
    network.faults.length = 0;
    network.requests.length = 0;
    const handle = prepareEvent({ ...event!, account: ACCOUNT.stripeAccount });
    assert.equal(await handle(depsWithNetwork), 'recorded');
    assert.equal(await handle(depsWithNetwork), 'duplicate');
    const { reference } = await donationOf(created.id);
    assert.deepEqual(await metadataOf(created.id), {
      organization_id: 'org_harbor',
      gala: 'table 4',
      reference,
    });
    const updates = network.requests.filter(
      ({ path }) => path === `/v1/payment_intents/${created.id}`,
    );
    assert.equal(updates.length, 1);
  });

  test('is not sent again for a payment intent that was created with it', async () => {
    const response = await sandboxApi.post('/payment-intents', sandboxApi.token, {
      amount_cents: 2500,
    });
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);
    const events = await sandboxApi.eventsOf(id);
    const paid = events.find(({ type }) => type === 'payment_intent.succeeded')!;
    network.requests.length = 0;
    await prepareEvent({ ...paid, account: ACCOUNT.stripeAccount })(depsWithNetwork);
    assert.ok(!network.requests.some(({ path }) => path === `/v1/payment_intents/${id}`));
  });
});
