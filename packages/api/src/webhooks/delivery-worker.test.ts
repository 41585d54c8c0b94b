import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { respondWith, startReceiver } from '../../test-support/network/webhook-receiver.ts';
import { openQueueWithEndpoint } from '../../test-support/network/webhook-queue.ts';
import { createEnqueueEvent, resourceEvent } from './enqueue-event.ts';

const MINUTE_MS = 60_000;

const delayOf = (row: { next_attempt_at: Date | null }) =>
  (row.next_attempt_at?.getTime() ?? NaN) - Date.now();

describe('a webhook event', () => {
  test('is delivered within a second of the commit', async () => {
    const { receiver, enqueueEvents, receive, startWorker, deliveryWhen, endpoint, endpointRef } =
      await openQueueWithEndpoint();
    startWorker([receiver]);
    const delays: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      const at = Date.now();
      await enqueueEvents();
      const received = await receive(receiver, count);
      delays.push(received[count - 1]!.atMs - at);
    }
    // The median: single deliveries may be delayed by other load on the machine.
    assert.ok(delays.toSorted((first, second) => first - second)[2]! < 1_000, `${delays} ms`);
    const row = await deliveryWhen(({ status }) => status === 'delivered');
    assert.equal(row.attempts, 1);
    assert.equal(row.last_response_status, 204);
    assert.equal(row.last_error, null);
    assert.equal(row.next_attempt_at, null);
    assert.ok(row.delivered_at);
    assert.equal((await endpoint(endpointRef.id)).slow, false);
  });

  test('is not sent if its transaction is rolled back', async () => {
    const { receiver, startWorker, db, deliveries, enqueueEvents, receive } =
      await openQueueWithEndpoint();
    startWorker([receiver]);
    const enqueue = createEnqueueEvent({ baseUrl: 'https://api.example.org', livemode: false });
    const failing = db.transaction().execute(async (tx) => {
      await enqueue(tx, resourceEvent('donation.created', 'org_queue', 'don_1'));
      throw new Error('the donation could not be kept');
    });
    await assert.rejects(failing, /could not be kept/);
    // It would be sent before a later event.
    await enqueueEvents();
    await receive(receiver, 1);
    assert.equal((await deliveries()).length, 1);
    assert.equal(receiver.received.length, 1);
  });

  test('is sent once to every endpoint with its type, and to no other', async () => {
    const { receiver, startWorker, addEndpoint, enqueueEvents, deliveries, receive } =
      await openQueueWithEndpoint();
    const otherReceiver = await startReceiver();
    after(otherReceiver.stop);
    await addEndpoint(otherReceiver, ['payout.paid', 'donation.created']);
    await addEndpoint(otherReceiver, ['payout.paid']);
    startWorker([receiver, otherReceiver]);
    await enqueueEvents();
    await Promise.all([receive(receiver, 1), receive(otherReceiver, 1)]);
    // A second delivery would arrive before that of a later event.
    await enqueueEvents();
    await Promise.all([receive(receiver, 2), receive(otherReceiver, 2)]);
    assert.equal(otherReceiver.received.length, 2);
    assert.equal((await deliveries()).length, 4);
    assert.equal(receiver.received[0]!.body, otherReceiver.received[0]!.body);
  });

  test('has the same id and body on a retry, with a new signature', async () => {
    const { receiver, enqueueEvents, makeDue, receive, startWorker, deliveryWhen } =
      await openQueueWithEndpoint(
        (response, _, count) => void response.writeHead(count === 1 ? 500 : 200).end(),
      );
    let now = new Date();
    startWorker([receiver], { now: () => now });
    const from = Date.now();
    await enqueueEvents();
    const row = await deliveryWhen(({ attempts, leased_until }) => attempts === 1 && !leased_until);
    assert.equal(row.status, 'pending');
    assert.equal(row.last_error, 'The endpoint responded 500.');
    const next = row.next_attempt_at!.getTime();
    assert.ok(next >= from + 5_000 && next <= Date.now() + 5_500, `${next - from} ms`);
    now = new Date(now.getTime() + 5_000);
    await makeDue();
    const [first, second] = await receive(receiver, 2);
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    assert.equal(first!.body, second!.body);
    assert.notEqual(first!.headers['webhook-signature'], second!.headers['webhook-signature']);
    await deliveryWhen(({ status }) => status === 'delivered');
  });

  test('is retried with increasing delays, fails after the tenth attempt, and stores every attempt', async () => {
    const { receiver, enqueueEvents, makeDue, startWorker, deliveryWhen, db } =
      await openQueueWithEndpoint(respondWith(503));
    startWorker([receiver]);
    await enqueueEvents();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const row = await deliveryWhen((row) => row.attempts === attempt && !row.leased_until);
      delays.push(Math.round(delayOf(row) / MINUTE_MS));
      await makeDue();
    }
    const row = await deliveryWhen(({ status }) => status === 'failed');
    assert.equal(row.attempts, 10);
    assert.equal(row.next_attempt_at, null);
    const expectedMinutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
    for (const [index, minutes] of expectedMinutes.entries()) {
      const actualMinutes = delays[index]!;
      assert.ok(
        actualMinutes >= minutes - 1 && actualMinutes <= minutes * 1.1 + 1,
        `${actualMinutes} minutes, not ${minutes}`,
      );
    }
    const attempts = await db.selectFrom('webhook_attempt').selectAll().execute();
    assert.equal(attempts.length, 10);
  });

  for (const [description, header, minMinutes, maxMinutes] of [
    ['seconds', () => '3600', 60, 67],
    ['a date', () => new Date(Date.now() + 2 * 60 * MINUTE_MS).toUTCString(), 119, 133],
    ['a month, reduced to a day', () => '2592000', 1440, 1585],
    ['less than the schedule’s delay', () => '1', 0, 0.1],
  ] as const) {
    test(`is retried according to Retry-After: ${description}`, async () => {
      const { receiver, enqueueEvents, startWorker, deliveryWhen } = await openQueueWithEndpoint(
        (response) => {
          response.writeHead(429, { 'retry-after': header() }).end();
        },
      );
      startWorker([receiver]);
      await enqueueEvents();
      const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
      const minutes = delayOf(row) / MINUTE_MS;
      assert.ok(minutes >= minMinutes - 0.1 && minutes <= maxMinutes, `${minutes} minutes`);
    });
  }
});
