import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { startApi } from '../../../test-support/app/start-api.ts';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { reconcile } from '../reconcile/reconcile.ts';

// With `sandboxEvents: false` the sandbox sends no events. The tests deliver them.
const api = await startApi({ sandbox: true, sandboxEvents: false });
const { app, db, deps } = api;
const { createUnpaid, pay, advance, stripe, rowOf, donationsOf, mailsOf, ON_ACCOUNT } =
  subscriptionHelpers(api);

async function deliver(event: Stripe.Event): Promise<string> {
  const payload = JSON.stringify(event);
  const secret = 'whsec_sandbox';
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret });
  const response = await app.request('/processor-events', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { outcome: string }).outcome;
}

/** Creates a monthly donation with one renewal, and returns all its events. */
async function renewed() {
  const { intent, email } = await createUnpaid();
  await pay(intent);
  await advance('month');
  await advance(2 * 3600);
  const { processor_subscription_id: subscription } = (await rowOf(email))!;
  const { data } = await stripe.events.list({ limit: 100 }, ON_ACCOUNT);
  const events = data.filter((event) => JSON.stringify(event.data).includes(subscription));
  return { email, subscription, events };
}

/** Shuffles the items. The same seed gives the same order. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const rest = [...items];
  let state = seed * 2_654_435_761 + 1;
  return items.map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return rest.splice(state % rest.length, 1)[0]!;
  });
}

/** Converts an invoice event to the format of older versions of Stripe's API, without `parent`. */
function toOldInvoiceFormat(event: Stripe.Event): Stripe.Event {
  if (!event.type.startsWith('invoice.')) return event;
  const { parent, ...invoice } = event.data.object as Stripe.Invoice;
  const { subscription, metadata } = parent!.subscription_details!;
  const object = { ...invoice, subscription, subscription_details: { metadata } };
  return { ...event, data: { object } } as unknown as Stripe.Event;
}

/** Deletes everything that the events of a subscription created. */
async function forget(planId: string): Promise<void> {
  await db.deleteFrom('mail').execute();
  await db.deleteFrom('processor_event').execute();
  await db.deleteFrom('donation').where('plan_id', '=', planId).execute();
  await db.deleteFrom('recurring_plan').where('id', '=', planId).execute();
}

describe('events of a subscription', () => {
  test('end in the same state in 24 orders, with each event delivered twice', async () => {
    const { email, events } = await renewed();
    assert.ok(events.length >= 8, String(events.length));
    const { id } = (await rowOf(email))!;
    for (let seed = 1; seed <= 24; seed += 1) {
      await forget(id);
      const order = shuffled([...events, ...events], seed);
      if (seed % 3) for (const event of order) await deliver(event);
      else await Promise.all(order.map(deliver));
      const row = await rowOf(email);
      assert.partialDeepStrictEqual(row, { id, status: 'active', amount_cents: 2500 });
      const donations = await donationsOf(id);
      assert.equal(donations.length, 2, `order ${seed}`);
      assert.ok(donations.every(({ recurring }) => recurring));
      assert.deepEqual(await mailsOf(id), ['receipt', 'receipt']);
    }
  });

  test("are accepted in the format of an older version of Stripe's API", async () => {
    const { email, events } = await renewed();
    const { id } = (await rowOf(email))!;
    await forget(id);
    for (const event of events) await deliver(toOldInvoiceFormat(event));
    assert.equal((await donationsOf(id)).length, 2);
  });

  test('update a known subscription whose metadata was removed at Stripe', async () => {
    const { intent, email } = await createUnpaid();
    await pay(intent);
    const { id, processor_subscription_id: subscription } = (await rowOf(email))!;
    await stripe.subscriptions.update(subscription, { metadata: '' }, ON_ACCOUNT);
    await advance('month');
    await advance(2 * 3600);
    const { data } = await stripe.events.list({ limit: 100 }, ON_ACCOUNT);
    const events = data.filter((event) => JSON.stringify(event.data).includes(subscription));
    for (const event of events.reverse()) await deliver(event);
    const recorded = async () =>
      (await donationsOf(id)).map(({ donor_email, amount_cents }) => [donor_email, amount_cents]);
    const expectedRows = [
      [email, 2500],
      [email, 2500],
    ];
    assert.deepEqual(await recorded(), expectedRows);
    assert.equal((await rowOf(email))?.status, 'active');

    await db.deleteFrom('mail').execute();
    await db.deleteFrom('donation').where('plan_id', '=', id).execute();
    const lists = { from: new Date(Date.now() - 86_400_000), repair: true };
    const onFailure = (_: unknown, error: unknown) => assert.fail(String(error));
    await reconcile(
      deps,
      { organizationId: 'org_harbor', onFailure, compareOptionsFor: () => lists },
      { onDifference: () => {}, onChecked: () => {} },
    );
    assert.deepEqual(await recorded(), expectedRows);
  });

  test("that were lost are replaced by comparing Stripe's lists", async () => {
    const { email, subscription } = await renewed();
    await stripe.subscriptions.cancel(subscription, {}, ON_ACCOUNT);
    const compareLists = async () => {
      const found: string[] = [];
      const from = new Date(Date.now() - 86_400_000);
      await reconcile(
        deps,
        {
          organizationId: 'org_harbor',
          onFailure: (_, error) => assert.fail(String(error)),
          compareOptionsFor: () => ({ from, repair: true }),
        },
        { onDifference: ({ description }) => void found.push(description), onChecked: () => {} },
      );
      return found;
    };
    // Marks all events as handled, so that only the lists can help.
    const { data } = await stripe.events.list({ limit: 100 }, ON_ACCOUNT);
    const rows = data.map(({ id, type }) => ({ id, type, organization_id: 'org_harbor' }));
    const insert = db.insertInto('processor_event').values(rows);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    assert.ok((await compareLists()).length >= 3);
    const row = (await rowOf(email))!;
    assert.equal(row.status, 'canceled');
    assert.equal((await donationsOf(row.id)).length, 2);
    assert.deepEqual(
      (await compareLists()).filter((description) => description.includes('plan')),
      [],
    );
  });
});
