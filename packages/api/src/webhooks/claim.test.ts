import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openQueueWithEndpoint } from '../../test-support/network/webhook-queue.ts';
import type { Db } from '../db/schema.ts';
import { LaneClaims } from './claim.ts';
import { createEnqueueEvent, resourceEvent } from './enqueue-event.ts';

const MINUTE_MS = 60_000;
const STARTED_AT = new Date();
const QUICK = { startedAt: STARTED_AT, durationMs: 20, status: 200, error: null, retryAfterMs: 0 };

/** Opens a queue with one endpoint, and claims of the fast lane whose full scan is the first claim only. */
async function openLane() {
  const queue = await openQueueWithEndpoint();
  await sql`update webhook_endpoint set slow = false`.execute(queue.db);
  const createLane = () => {
    const limits = { slow: false, perEndpoint: 8, perQuickEndpoint: 64 };
    const now = () => STARTED_AT;
    const lane = new LaneClaims(queue.db, { ...limits, leaseMs: 30_000, now });
    /** Claims with more free slots than there are deliveries, and returns the ids. */
    const claim = async ({ extraSlots = 128 } = {}) =>
      (await lane.claim({ slots: 128, extraSlots })).map(({ id }) => id);
    return { claim, recordOutcome: lane.recordOutcome.bind(lane) };
  };
  return { ...queue, createLane };
}

/** Enqueues an event as a transaction does that commits an hour after it has set `next_attempt_at`. */
const enqueueLate = (db: Db) =>
  db.transaction().execute(async (tx) => {
    const enqueue = createEnqueueEvent({ baseUrl: 'https://api.example.org', livemode: false });
    await enqueue(tx, resourceEvent('donation.created', 'org_queue', 'don_late'));
    const { rows } = await sql<{ id: string }>`update webhook_delivery
      set next_attempt_at = next_attempt_at - interval '1 h'
      where xmin::text = pg_current_xact_id()::xid::text returning id`.execute(tx);
    return rows[0]!.id;
  });

describe('a delivery that was committed an hour after it became due', () => {
  test('is delivered after the full scan', async () => {
    const queue = await openQueueWithEndpoint();
    const { db, receiver, enqueueEvents, startWorker, deliveries, deliveryWhen, receive } = queue;
    let nowMs = Date.now();
    startWorker([receiver], { now: () => new Date(nowMs) });
    await enqueueEvents();
    await deliveryWhen(({ status }) => status === 'delivered');
    const late = await enqueueLate(db);
    await enqueueEvents(3);
    await receive(receiver, 4);
    const pending = (await deliveries()).filter(({ attempts }) => attempts === 0);
    assert.deepEqual(
      pending.map(({ id }) => id),
      [late],
    );
    nowMs += MINUTE_MS;
    await deliveryWhen(({ id, status }) => id === late && status === 'delivered');
  });

  test('is claimed by a process that has just started', async () => {
    const { db, createLane } = await openLane();
    const { claim } = createLane();
    assert.deepEqual(await claim(), []);
    const late = await enqueueLate(db);
    assert.deepEqual(await claim(), []);
    assert.deepEqual(await createLane().claim(), [late]);
  });
});

describe('between two full scans', () => {
  test('a retry is claimed when it is due', async () => {
    const { db, createLane, enqueueEvents } = await openLane();
    const { claim } = createLane();
    await enqueueEvents();
    const [id] = await claim();
    const retryIn = (seconds: number) =>
      sql`update webhook_delivery set leased_until = null,
        next_attempt_at = date_trunc('milliseconds', now()) + ${`${seconds} s`}::interval`.execute(
        db,
      );
    await retryIn(60);
    assert.deepEqual(await claim(), []);
    await retryIn(0);
    assert.deepEqual(await claim(), [id]);
  });

  test('a delivery of a process that has crashed is claimed when its lease has expired', async () => {
    const { db, createLane } = await openLane();
    const [crashed, other] = [createLane(), createLane()];
    const late = await enqueueLate(db);
    assert.deepEqual(await crashed.claim(), [late]);
    assert.deepEqual(await other.claim(), []);
    await sql`update webhook_delivery set leased_until = now() - interval '1 s'`.execute(db);
    assert.deepEqual(await other.claim(), [late]);
  });

  test('an endpoint that was enabled again receives what is still pending', async () => {
    const { db, createLane, enqueueEvents } = await openLane();
    const { claim } = createLane();
    assert.deepEqual(await claim(), []);
    await enqueueEvents();
    await sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'paused'`.execute(
      db,
    );
    await sql`update webhook_endpoint set disabled_at = null, disabled_reason = null`.execute(db);
    assert.equal((await claim()).length, 1);
  });
});

describe('an endpoint that responds quickly', () => {
  test('earns one simultaneous attempt with each, and loses them by a failure', async () => {
    const { createLane, enqueueEvents, endpointRef } = await openLane();
    const { claim, recordOutcome } = createLane();
    await enqueueEvents(40);
    assert.equal((await claim()).length, 8);
    for (let count = 0; count < 10; count += 1) recordOutcome(endpointRef.id, QUICK);
    assert.equal((await claim()).length, 10); // Eight are still running.
    recordOutcome(endpointRef.id, { ...QUICK, status: 500, error: 'The endpoint responded 500.' });
    recordOutcome(endpointRef.id, QUICK);
    assert.equal((await claim()).length, 0);
  });

  test('earns at most 64, and none by slow successes', async () => {
    const { createLane, enqueueEvents, endpointRef } = await openLane();
    const { claim, recordOutcome } = createLane();
    await enqueueEvents(80);
    assert.equal((await claim()).length, 8);
    recordOutcome(endpointRef.id, { ...QUICK, durationMs: 1_500 });
    assert.equal((await claim()).length, 0);
    for (let count = 0; count < 100; count += 1) recordOutcome(endpointRef.id, QUICK);
    assert.equal((await claim()).length, 56);
  });

  test('has eight when only the slots for every endpoint are free', async () => {
    const { createLane, enqueueEvents, endpointRef } = await openLane();
    const { claim, recordOutcome } = createLane();
    await enqueueEvents(40);
    assert.equal((await claim()).length, 8);
    for (let count = 0; count < 10; count += 1) recordOutcome(endpointRef.id, QUICK);
    assert.equal((await claim({ extraSlots: 0 })).length, 0);
    assert.equal((await claim({ extraSlots: 3 })).length, 3);
  });
});
