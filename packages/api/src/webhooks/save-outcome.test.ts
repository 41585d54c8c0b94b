import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

import { sql } from 'kysely';
import { eventually } from '../../test-support/app/start-api.ts';
import {
  respondWith,
  respondSlowly,
  neverRespond,
  startReceiver,
} from '../../test-support/network/webhook-receiver.ts';
import { openQueueWithEndpoint } from '../../test-support/network/webhook-queue.ts';
import type { WebhookEvent } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';
import { revokeConnection } from '../oauth/connections.ts';
import { removeOldEvents } from './remove-old-events.ts';

describe('an endpoint', () => {
  test('that hangs is timed out, and its event is retried', async () => {
    const { receiver, enqueueEvents, startWorker, deliveryWhen } =
      await openQueueWithEndpoint(neverRespond);
    startWorker([receiver], { timeoutMs: 1_000 });
    const at = performance.now();
    await enqueueEvents();
    const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
    assert.ok(performance.now() - at < 10_000); // Without the timeout the response would never end.
    assert.equal(row.status, 'pending');
    assert.equal(row.last_error, 'No response within 1 seconds.');
    assert.equal(row.last_response_status, null);
  });

  test('that responds 200 and sends its body one byte at a time counts as delivered', async () => {
    const { receiver, enqueueEvents, startWorker, deliveryWhen } =
      await openQueueWithEndpoint(respondSlowly);
    startWorker([receiver], { timeoutMs: 1_000 });
    await enqueueEvents();
    const row = await deliveryWhen(({ status }) => status === 'delivered');
    assert.equal(row.attempts, 1);
    assert.equal(row.last_error, null);
  });

  test('that responds 200 with a large body counts as delivered; 64 kB are read', async () => {
    let writtenBytes = 0;
    const { receiver, enqueueEvents, startWorker, deliveryWhen } = await openQueueWithEndpoint(
      (response) => {
        response.writeHead(200);
        const sendEndlessBody = () => {
          while (!response.destroyed && writtenBytes < 64 * 1024 * 1024) {
            writtenBytes += 65_536;
            if (!response.write('x'.repeat(65_536)))
              return void response.once('drain', sendEndlessBody);
          }
        };
        sendEndlessBody();
      },
    );
    startWorker([receiver]);
    await enqueueEvents();
    await deliveryWhen(({ status }) => status === 'delivered');
    // Above the limit, because sockets buffer some of it.
    assert.ok(writtenBytes < 16 * 1024 * 1024, `${writtenBytes} bytes`);
  });

  test('that redirects is not followed', async () => {
    const otherReceiver = await startReceiver();
    after(otherReceiver.stop);
    const { receiver, enqueueEvents, startWorker, deliveryWhen } = await openQueueWithEndpoint(
      respondWith(307, { location: otherReceiver.url }),
    );
    startWorker([receiver, otherReceiver]);
    await enqueueEvents();
    const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
    assert.equal(row.last_error, 'The endpoint responded 307. Redirects are not followed.');
    assert.equal(otherReceiver.received.length, 0);
  });

  test('that hangs delays no other endpoint, and takes one slot in the slow lane', async () => {
    const { receiver, enqueueEvents, startWorker, addEndpoint, receive } =
      await openQueueWithEndpoint(neverRespond);
    const healthyReceiver = await startReceiver();
    after(healthyReceiver.stop);
    await addEndpoint(healthyReceiver);
    startWorker([receiver, healthyReceiver], { timeoutMs: 60_000, leaseMs: 90_000 });
    const at = performance.now();
    await enqueueEvents(40);
    await receive(healthyReceiver, 40);
    assert.ok(performance.now() - at < 30_000); // The timeout of the hanging attempt is twice as long.
    assert.equal(receiver.received.length, 1);
  });

  test('that starts to hang takes eight slots, then one, and delays no other endpoint', async () => {
    const {
      receiver,
      db,
      enqueueEvents,
      startWorker,
      addEndpoint,
      receive,
      endpoint,
      endpointRef,
    } = await openQueueWithEndpoint(neverRespond);
    const healthyReceiver = await startReceiver();
    after(healthyReceiver.stop);
    await addEndpoint(healthyReceiver);
    await sql`update webhook_endpoint set slow = false`.execute(db);
    await enqueueEvents(100);
    const patient = startWorker([receiver, healthyReceiver], {
      timeoutMs: 60_000,
      leaseMs: 90_000,
    });
    await receive(healthyReceiver, 100); // Before any hanging attempt has ended.
    assert.equal(receiver.received.length, 8);
    await patient.stop(0);

    startWorker([receiver, healthyReceiver], { timeoutMs: 2_000 });
    await eventually(async () => (await endpoint(endpointRef.id)).slow || undefined);
    const receivedBefore = receiver.received.length;
    const received = await receive(receiver, receivedBefore + 3);
    const [, first, second, third] = received.slice(receivedBefore - 1).map(({ atMs }) => atMs);
    // Each waits for the previous timeout of two seconds.
    assert.ok(second! - first! > 500 && third! - second! > 500, 'more than one at once');
  });

  test('that responds 410 is disabled at once, and its pending deliveries fail', async () => {
    const {
      receiver,
      enqueueEvents,
      startWorker,
      deliveries,
      deliveryWhen,
      endpoint,
      endpointRef,
    } = await openQueueWithEndpoint(respondWith(410));
    await enqueueEvents(5);
    startWorker([receiver]);
    await deliveryWhen(({ status }) => status === 'failed');
    assert.equal((await endpoint(endpointRef.id)).disabled_reason, 'gone');
    const rows = await eventually(async () => {
      const all = await deliveries();
      return all.every(({ status }) => status === 'failed') ? all : undefined;
    });
    assert.match(rows[4]!.last_error!, /responded 410 and was disabled/);
    assert.equal(receiver.received.length, 1);
    await enqueueEvents();
    assert.equal((await deliveries()).length, 5);
  });

  test('that fails for five days is disabled; a success resets the period', async () => {
    const {
      receiver,
      enqueueEvents,
      makeDue,
      startWorker,
      deliveryWhen,
      endpoint,
      endpointRef,
      db,
    } = await openQueueWithEndpoint(respondWith(500));
    const pass = (days: number) =>
      sql`update webhook_endpoint set failing_since = failing_since - ${`${days} d`}::interval,
        last_failed_at = last_failed_at - interval '1 d'`.execute(db);
    startWorker([receiver]);
    await enqueueEvents();
    const failed = (attempts: number) =>
      deliveryWhen((row) => row.attempts === attempts && !row.leased_until);
    await failed(1);
    await pass(4.9);
    await makeDue();
    await failed(2);
    assert.equal((await endpoint(endpointRef.id)).disabled_at, null);

    receiver.setResponder(respondWith(200));
    await enqueueEvents();
    await deliveryWhen(({ status }) => status === 'delivered');
    assert.equal((await endpoint(endpointRef.id)).failing_since, null);

    receiver.setResponder(respondWith(500));
    await makeDue();
    await failed(3);
    await pass(5.1);
    await makeDue();
    await deliveryWhen(({ status }) => status === 'failed');
    assert.equal((await endpoint(endpointRef.id)).disabled_reason, 'failing');
  });

  test('that failed once a month ago does not count as failing since then', async () => {
    const { receiver, enqueueEvents, startWorker, deliveryWhen, endpoint, endpointRef, db } =
      await openQueueWithEndpoint(respondWith(500));
    await db
      .updateTable('webhook_endpoint')
      .set({
        failing_since: sql`now() - interval '31 d'`,
        last_failed_at: sql`now() - interval '28 d'`,
      })
      .execute();
    startWorker([receiver]);
    await enqueueEvents();
    await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
    assert.equal((await endpoint(endpointRef.id)).disabled_at, null);
  });

  for (const [endDescription, change] of [
    ['the organization revokes the app', 'update oauth_connection set revoked_at = now()'],
    ['no approval includes webhooks:write', `update oauth_grant set scopes = '{donations:read}'`],
    ['the member who approved loses the permission', `update membership set permissions = '{}'`],
    ['that member is no longer an admin', `update membership set role = 'member'`],
    ['that member leaves the organization', 'delete from membership'],
  ] as const) {
    test(`of a connected app works until ${endDescription}`, async () => {
      const { receiver, db, enqueueEvents, startWorker, deliveryWhen, endpoint, endpointRef } =
        await openQueueWithEndpoint();
      await assignToApp(db);
      startWorker([receiver]);
      await enqueueEvents();
      await deliveryWhen(({ status }) => status === 'delivered');
      await sql.raw(change).execute(db);
      await enqueueEvents();
      await deliveryWhen(({ status }) => status === 'failed');
      assert.equal((await endpoint(endpointRef.id)).disabled_reason, 'revoked');
      assert.equal(receiver.received.length, 1);
    });
  }

  test('of a connected app is told that it was disconnected, after which it receives nothing', async () => {
    const { addEndpoint, db, enqueue, enqueueEvents, receiver, startWorker, deliveries } =
      await openQueueWithEndpoint();
    await sql`update webhook_endpoint set events = '{donation.created,connection.revoked}'`.execute(
      db,
    );
    await assignToApp(db);
    const ofKey = await addEndpoint(receiver, ['connection.revoked']);
    await enqueueEvents();
    const connection = { id: 'con_1', organizationId: 'org_queue' };
    assert.equal(await revokeConnection({ db, enqueue }, connection), true);
    assert.equal(await revokeConnection({ db, enqueue }, connection), false);
    startWorker([receiver]);
    const rows = await eventually(async () => {
      const all = await deliveries();
      return all.every(({ status }) => status !== 'pending') ? all : undefined;
    });
    const statuses = rows.map(({ event_type, status }) => `${event_type} ${status}`);
    assert.deepEqual(statuses, ['donation.created failed', 'connection.revoked delivered']);
    assert.ok(!rows.some(({ endpoint_id }) => endpoint_id === ofKey.id));
    const event = JSON.parse(receiver.received[0]!.body) as WebhookEvent;
    assert.equal(receiver.received.length, 1);
    assert.equal(event.organization_id, 'org_queue');
    assert.deepEqual(event.related_object, {
      id: 'con_1',
      object: 'connection',
      url: 'https://api.example.org/api/v1/organization',
    });
  });

  test('whose credential was revoked receives nothing', async () => {
    const { receiver, enqueueEvents, startWorker, deliveryWhen, revokeKey } =
      await openQueueWithEndpoint();
    await enqueueEvents();
    await revokeKey();
    startWorker([receiver]);
    const row = await deliveryWhen(({ status }) => status === 'failed');
    assert.match(row.last_error ?? '', /^The credential of this endpoint was revoked, or /);
    assert.equal(receiver.received.length, 0);
  });
});

describe('old rows', () => {
  test('are deleted if they are delivered or failed, with their attempts; pending ones stay', async () => {
    const { receiver, db, enqueueEvents, startWorker, deliveryWhen, deliveries } =
      await openQueueWithEndpoint();
    await enqueueEvents(3);
    const worker = startWorker([receiver]);
    await deliveryWhen(({ status }) => status === 'delivered');
    await worker.stop();
    const [old, pending, recent] = await deliveries();
    const attemptsOf = (id: string) =>
      db.selectFrom('webhook_attempt').select('number').where('delivery_id', '=', id).execute();
    assert.equal((await attemptsOf(old!.id)).length, 1);
    const age = (ids: string[]) =>
      sql`update webhook_delivery set created_at = now() - interval '31 d'
        where id = any(${ids})`.execute(db);
    await sql`update webhook_delivery set status = 'pending', delivered_at = null,
      next_attempt_at = now() where id = ${pending!.id}`.execute(db);
    await age([old!.id, pending!.id]);
    await sql`update webhook_event set created_at = now() - interval '31 d'`.execute(db);
    await removeOldEvents(db);
    const remaining = await deliveries();
    assert.deepEqual(new Set(remaining.map(({ id }) => id)), new Set([pending!.id, recent!.id]));
    const events = await db.selectFrom('webhook_event').select('id').execute();
    assert.equal(events.length, 2);
    assert.equal((await attemptsOf(old!.id)).length, 0);
  });
});

/** Changes the endpoint's owner to an app that an admin has approved. */
async function assignToApp(db: Db): Promise<void> {
  for (const statement of [
    `insert into person (id, name, email, email_verified)
      values ('per_1', 'Developer', 'developer@example.org', true)`,
    `insert into membership (organization_id, person_id, role, permissions)
      values ('org_queue', 'per_1', 'admin', '{webhooks:write}')`,
    `insert into oauth_app (id, person_id, name, secret_hash, redirect_uris)
      values ('app_1', 'per_1', 'App', '\\x00', '{https://app.example/}')`,
    `insert into oauth_connection (id, app_id, organization_id)
      values ('con_1', 'app_1', 'org_queue')`,
    `insert into oauth_grant (id, connection_id, person_id, scopes)
      values ('grant_1', 'con_1', 'per_1', '{webhooks:write}')`,
    `update webhook_endpoint set credential_id = 'con_1'`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
