import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import Stripe from 'stripe';
import {
  ACCOUNT,
  WEBHOOK_SECRET,
  createClient,
  confirmInBrowser,
  startReceiver,
  startTestSandbox,
  temporaryFolder,
  waitFor,
} from '../test-support/start-sandbox.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from './database.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { API_VERSION } from './stripe-types.ts';

const donation = { amount: 5000, currency: 'usd', metadata: { fund_id: 'fund_meals' } };
const read = ({ body, signature }: { body: string; signature: string }) =>
  createClient('http://localhost:1').webhooks.constructEvent(body, signature, WEBHOOK_SECRET);

describe('events', () => {
  test('of a payment are signed, and contain the account and a snapshot of the object', async () => {
    const inbox = await startReceiver();
    const { url } = await startTestSandbox({ webhookUrl: inbox.url });
    const intent = await createClient(url).paymentIntents.create(donation, { idempotencyKey: 'k' });
    await confirmInBrowser(url, intent, '4242424242424242');
    await waitFor(() => inbox.received.length === 3);
    const events = inbox.received.map(read);
    assert.deepEqual(events.map(({ type }) => type).sort(), [
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
    ]);
    for (const event of events) {
      assert.partialDeepStrictEqual(event, {
        object: 'event',
        account: ACCOUNT,
        api_version: API_VERSION,
        livemode: false,
      });
    }
    const created = events.find(({ type }) => type === 'payment_intent.created');
    assert.equal((created?.data.object as Stripe.PaymentIntent).status, 'requires_payment_method');
    assert.deepEqual((created?.data.object as Stripe.PaymentIntent).metadata, donation.metadata);
    assert.equal(created?.request?.idempotency_key, 'k');
  });

  test('of a decline and of an authentication have their own types', async () => {
    const { url } = await startTestSandbox();
    const stripe = createClient(url);
    await confirmInBrowser(url, await stripe.paymentIntents.create(donation), '4000000000000002');
    await confirmInBrowser(url, await stripe.paymentIntents.create(donation), '4000002500003155');
    const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 100 });
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'payment_intent.requires_action',
        'payment_intent.created',
        'payment_intent.payment_failed',
        'charge.failed',
        'payment_intent.created',
      ],
    );
    const failed = await stripe.events.list({ type: 'payment_intent.payment_failed' });
    assert.equal(failed.data.length, 1);
    const event = await stripe.events.retrieve(failed.data[0]?.id ?? '');
    assert.equal(
      (event.data.object as Stripe.PaymentIntent).last_payment_error?.code,
      'card_declined',
    );
  });

  test('are sent to the configured endpoint, which is listed but cannot be deleted', async () => {
    const inbox = await startReceiver();
    const { url } = await startTestSandbox({ webhookUrl: inbox.url });
    const platform = createClient(url, '');
    const { data } = await platform.webhookEndpoints.list();
    assert.deepEqual([data[0]?.url, data[0]?.enabled_events], [inbox.url, ['*']]);
    await assert.rejects(platform.webhookEndpoints.del(data[0]?.id ?? ''), { statusCode: 400 });
  });

  test('that are signed with another secret fail the signature check', async () => {
    const inbox = await startReceiver();
    const { url } = await startTestSandbox({ webhookUrl: inbox.url, webhookSecret: 'whsec_other' });
    await createClient(url).paymentIntents.create(donation);
    const event = await waitFor(() => inbox.received[0]);
    assert.throws(() => read(event), Stripe.errors.StripeSignatureVerificationError);
  });

  test('are retried until the endpoint responds with 2xx; a redirect is not 2xx', async () => {
    const inbox = await startReceiver([500, 302, 204]);
    const { url } = await startTestSandbox({ webhookUrl: inbox.url });
    const stripe = createClient(url);
    await stripe.paymentIntents.create(donation);
    await waitFor(() => inbox.received.length === 3);
    assert.equal(new Set(inbox.received.map((each) => read(each).id)).size, 1);
    const [first, , third] = inbox.received.map(({ signature }) => Number(signature.slice(2, 12)));
    assert.ok((third ?? 0) - (first ?? 0) >= 3, 'each attempt is signed at its own time');
    // The sandbox saves the result shortly after the response.
    await waitFor(async () => (await stripe.events.list()).data[0]?.pending_webhooks === 0);
  });

  test('that were not delivered are sent after the next start', async () => {
    const dataDir = temporaryFolder();
    const before = await startTestSandbox({ dataDir, webhookUrl: 'http://127.0.0.1:9/' });
    await createClient(before.url).paymentIntents.create(donation);
    await before.stop();
    const inbox = await startReceiver();
    await startTestSandbox({ dataDir, webhookUrl: inbox.url });
    const event = await waitFor(() => inbox.received[0]);
    assert.equal(read(event).type, 'payment_intent.created');
  });

  test('that become due between two reads of the clock are still sent', async (context) => {
    const inbox = await startReceiver();
    const db = openDatabase(temporaryFolder());
    const groupCommit = new GroupCommit(db, { beforeCommit: () => {}, afterCommit: () => {} });
    const deliveries = new WebhookDeliveries({
      db,
      groupCommit,
      receiver: { url: inbox.url, secret: WEBHOOK_SECRET },
      log: () => {},
    });
    after(async () => {
      await deliveries.stop();
      db.close();
    });
    const dueAt = Date.now();
    db.exec(`insert into object (id, kind, account, body) values ('evt_1', 'event', '', '{}')`);
    db.exec(
      `insert into delivery (event_id, endpoint, next_attempt_at) values ('evt_1', '', ${dueAt})`,
    );
    let currentTime = dueAt - 1;
    context.mock.method(Date, 'now', () => currentTime++);
    deliveries.sendDue();
    await waitFor(() => inbox.received.length === 1);
  });
});
