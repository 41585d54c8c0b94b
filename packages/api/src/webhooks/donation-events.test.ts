import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WebhookEvent, type Donation, type PaymentIntent } from '@connect-embed/contract';
import { Webhook } from 'standardwebhooks';
import { eventually, stripeAt } from '../../test-support/app/start-api.ts';
import { startWebhooks, ENDPOINT_INPUT } from '../../test-support/app/start-webhooks.ts';

const ACCOUNT = { stripeAccount: 'acct_harbor_street' };

const webhookApi = await startWebhooks({ sandbox: true });
const { app, url, sandboxUrl, post, get, receiver, newCaller, createKey } = webhookApi;
const { db, enqueueDonationCreated } = webhookApi;
const stripe = stripeAt(sandboxUrl);
const payer = await createKey(['payments:write']);

async function donate(payment_method: string): Promise<string> {
  const response = await post('/payment-intents', payer.token, { amount_cents: 2500 });
  const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
  await stripe.paymentIntents.confirm(id, { payment_method }, ACCOUNT).catch(() => {});
  return id;
}

/** Makes a donation and waits until its event is delivered. Earlier events are delivered before it. */
async function donateAndReceive() {
  const intentId = await donate('pm_card_visa');
  await eventually(async () => {
    const donation = await db
      .selectFrom('donation')
      .select('id')
      .where('processor_payment_intent_id', '=', intentId)
      .executeTakeFirst();
    return donation && receiver.received.find(({ body }) => body.includes(donation.id));
  });
}

/** Sends the `payment_intent.succeeded` event of an intent again. */
async function deliverSucceededAgain(intentId: string, times: number) {
  const { data } = await stripe.events.list({ limit: 100 }, ACCOUNT);
  const event = data.find(
    ({ type, data }) =>
      type === 'payment_intent.succeeded' && (data.object as { id?: string }).id === intentId,
  );
  const payload = JSON.stringify(event);
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: 'whsec_sandbox',
  });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const send = async () =>
    await app.request('/processor-events', { method: 'POST', headers, body: payload });
  return await Promise.all(Array.from({ length: times }, send));
}

describe('a donation', () => {
  test('is sent once as a signed event that links to it', async () => {
    const { token, create } = await newCaller();
    const { secret } = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    const intentId = await donate('pm_card_visa');
    const { body, headers } = await eventually(async () => receiver.received[0]);
    for (const response of await deliverSucceededAgain(intentId, 5))
      assert.equal(response.status, 200);

    const event = WebhookEvent.parse(new Webhook(secret).verify(body, headers));
    assert.equal(event.type, 'donation.created');
    assert.ok(event.related_object.url.startsWith(`${url}/api/v1/donations/don_`));
    const path = event.related_object.url.slice(`${url}/api/v1`.length);
    const donation = (await (await get(path, token)).json()) as Donation;
    assert.deepEqual([donation.id, donation.amount_cents], [event.related_object.id, 2500]);
    assert.ok(!body.includes('2500'), 'a notice says where to read, not what');

    await donateAndReceive();
    assert.equal(receiver.received.length, 2);
  });

  test('that is declined is not sent', async () => {
    const receivedBefore = receiver.received.length;
    await donate('pm_card_chargeDeclined');
    await donateAndReceive();
    assert.equal(receiver.received.length, receivedBefore + 1);
  });

  test('has the mode of the donation, whatever the mode of the keys', async () => {
    const { create } = await newCaller();
    await create();
    for (const livemode of [true, false])
      await enqueueDonationCreated(`don_livemode_${livemode}`, livemode);
    const events = await db
      .selectFrom('webhook_event')
      .select('body')
      .where('body', 'like', '%don_livemode_%')
      .orderBy('created_at')
      .execute();
    const sent = events.map(({ body }) => WebhookEvent.parse(JSON.parse(body)));
    assert.deepEqual(
      sent.map(({ livemode, related_object: { id } }) => [livemode, id]),
      [true, false].map((livemode) => [livemode, `don_livemode_${livemode}`]),
    );
  });
});
