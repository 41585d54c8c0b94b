import assert from 'node:assert/strict';
import type { PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { startApi, stripeAt } from './start-api.ts';

/** Request option for the connected account of the demo organization. */
export const ACCOUNT = { stripeAccount: 'acct_harbor_street' };

/**
 * Starts the API with a sandbox (our Stripe stand-in) that sends no webhook events. The test delivers
 * the sandbox's events, in any order and any number of times.
 */
export async function startManualEventsSandbox(env: Record<string, string> = {}) {
  const api = await startApi({ sandbox: true, sandboxEvents: false, env });
  const stripe = stripeAt(api.sandboxUrl);
  const { token } = await api.createKey();

  /**
   * Creates a payment intent through the API, pays it with a test payment method and returns the
   * payment intent's id.
   */
  async function payDonation(
    donation: object = {},
    payment_method = 'pm_card_visa',
  ): Promise<string> {
    const response = await api.post('/payment-intents', token, { amount_cents: 2000, ...donation });
    assert.equal(response.status, 201);
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await stripe.paymentIntents.confirm(id, { payment_method }, ACCOUNT);
    return id;
  }

  /** Returns the sandbox's events of a payment intent, oldest first. */
  async function eventsOf(id: string): Promise<Stripe.Event[]> {
    const { data } = await stripe.events.list({ limit: 100 }, ACCOUNT);
    return data.filter(({ data }) => refersTo(data.object, id)).reverse();
  }

  async function deliverEvent(event: object): Promise<string> {
    const created = Math.floor(Date.now() / 1000);
    const defaults = { account: ACCOUNT.stripeAccount, livemode: false, created };
    const payload = JSON.stringify({ ...defaults, ...event });
    const secret = 'whsec_sandbox';
    const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret });
    const response = await api.app.request('/processor-events', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
    });
    const body = (await response.json()) as { outcome?: string; error?: { message: string } };
    return body.outcome ?? `${response.status} ${body.error?.message}`;
  }

  /** Removes the metadata of a payment intent at Stripe. */
  async function clearMetadata(id: string): Promise<void> {
    const { metadata } = await stripe.paymentIntents.update(id, { metadata: '' }, ACCOUNT);
    assert.deepEqual(metadata, {});
  }

  /** Delivers all events of a payment intent. */
  async function deliverEventsOf(id: string): Promise<void> {
    for (const event of await eventsOf(id)) await deliverEvent(event);
  }

  const donationOf = (id: string) =>
    api.db
      .selectFrom('donation')
      .selectAll()
      .where('processor_payment_intent_id', '=', id)
      .executeTakeFirstOrThrow();

  /** Returns the types of our webhook events about a record, in order. */
  const webhookEventTypes = async (relatedId: string) =>
    (await api.db.selectFrom('webhook_event').selectAll().orderBy('created_at').execute())
      .filter(({ body }) => body.includes(`"${relatedId}"`))
      .map(({ type }) => type);

  /**
   * Calls the sandbox's own API, which Stripe does not have, for example to open a dispute or
   * advance the clock.
   */
  async function sandbox<Body = { id: string }>(path: string, body: object): Promise<Body> {
    const response = await fetch(`${api.sandboxUrl}/sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: ACCOUNT.stripeAccount, ...body }),
    });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as Body;
  }

  return {
    ...api,
    stripe,
    token,
    payDonation,
    eventsOf,
    deliverEvent,
    deliverEventsOf,
    clearMetadata,
    donationOf,
    webhookEventTypes,
    sandbox,
  };
}

function refersTo(object: unknown, id: string): boolean {
  const { id: objectId, payment_intent: intent } = object as {
    id?: string;
    payment_intent?: unknown;
  };
  return objectId === id || intent === id || (intent as { id?: string } | null)?.id === id;
}
