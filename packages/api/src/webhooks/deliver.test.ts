import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  answerWith,
  drip,
  hang,
  startReceiver,
  type Answer,
} from '../../test-support/webhook-receiver.ts';
import { openQueue } from '../../test-support/webhook-queue.ts';

const MINUTE_MS = 60_000;

/** A queue with one endpoint and a receiver behind it. */
async function openOne(answer?: Answer) {
  const queue = await openQueue();
  const receiver = await startReceiver(answer);
  after(receiver.stop);
  return { ...queue, receiver, one: await queue.addEndpoint(receiver) };
}

const wait = (row: { next_attempt_at: Date | null }) =>
  (row.next_attempt_at?.getTime() ?? NaN) - Date.now();

describe('delivery of a notice', () => {
  test('leaves within a second of the commit, and is delivered', async () => {
    const { receiver, happen, receive, startWorker, deliveryWhen, endpoint, one } = await openOne();
    startWorker([receiver]);
    await sleep(300);
    const at = Date.now();
    await happen();
    await receive(receiver, 1);
    assert.ok(receiver.received[0]!.atMs - at < 1_000);
    const row = await deliveryWhen(({ status }) => status === 'delivered');
    assert.equal(row.attempts, 1);
    assert.equal(row.last_response_status, 204);
    assert.equal(row.last_error, null);
    assert.equal(row.next_attempt_at, null);
    assert.ok(row.delivered_at);
    assert.equal((await endpoint(one.id)).slow, false);
  });

  test('sends nothing of a transaction that was rolled back', async () => {
    const { receiver, startWorker, db, deliveries } = await openOne();
    startWorker([receiver]);
    const { createEnqueue, donationNotice } = await import('./notice.ts');
    const enqueue = createEnqueue({ baseUrl: 'https://api.example.org', livemode: false });
    const failing = db.transaction().execute(async (tx) => {
      await enqueue(tx, donationNotice('donation.created', 'org_queue', 'don_1'));
      throw new Error('the donation could not be kept');
    });
    await assert.rejects(failing, /could not be kept/);
    await sleep(400);
    assert.equal((await deliveries()).length, 0);
    assert.equal(receiver.received.length, 0);
  });

  test('goes once to every endpoint that asked for its type, and to no other', async () => {
    const { receiver, startWorker, addEndpoint, happen, deliveries, receive } = await openOne();
    const other = await startReceiver();
    after(other.stop);
    await addEndpoint(other, ['payout.paid', 'donation.created']);
    await addEndpoint(other, ['payout.paid']);
    startWorker([receiver, other]);
    await happen();
    await Promise.all([receive(receiver, 1), receive(other, 1)]);
    await sleep(300);
    assert.equal(other.received.length, 1);
    assert.equal((await deliveries()).length, 2);
    assert.equal(receiver.received[0]!.body, other.received[0]!.body);
  });

  test('keeps id and body on a retry, and signs anew', async () => {
    const { receiver, happen, hurry, receive, startWorker, deliveryWhen } = await openOne(
      (response, _, count) => void response.writeHead(count === 1 ? 500 : 200).end(),
    );
    let now = new Date();
    startWorker([receiver], { now: () => now });
    await happen();
    const row = await deliveryWhen(({ attempts, leased_until }) => attempts === 1 && !leased_until);
    assert.equal(row.status, 'pending');
    assert.equal(row.last_error, 'The endpoint answered 500.');
    assert.ok(wait(row) > 4_000 && wait(row) <= 5_500, `${wait(row)} ms`);
    now = new Date(now.getTime() + 5_000);
    await hurry();
    const [first, second] = await receive(receiver, 2);
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    assert.equal(first!.body, second!.body);
    assert.notEqual(first!.headers['webhook-signature'], second!.headers['webhook-signature']);
    await deliveryWhen(({ status }) => status === 'delivered');
  });

  test('waits longer and longer, gives up after the tenth attempt, and keeps every attempt', async () => {
    const { receiver, happen, hurry, startWorker, deliveryWhen, db } = await openOne(
      answerWith(503),
    );
    startWorker([receiver]);
    await happen();
    const waits: number[] = [];
    for (let made = 1; made <= 9; made += 1) {
      const row = await deliveryWhen((row) => row.attempts === made && !row.leased_until);
      waits.push(Math.round(wait(row) / MINUTE_MS));
      await hurry();
    }
    const row = await deliveryWhen(({ status }) => status === 'failed');
    assert.equal(row.attempts, 10);
    assert.equal(row.next_attempt_at, null);
    const planned = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
    for (const [index, minutes] of planned.entries()) {
      const is = waits[index]!;
      assert.ok(is >= minutes - 1 && is <= minutes * 1.1 + 1, `${is} minutes, not ${minutes}`);
    }
    const attempts = await db.selectFrom('webhook_attempt').selectAll().execute();
    assert.equal(attempts.length, 10);
  });

  for (const [what, header, least, most] of [
    ['seconds', () => '3600', 60, 67],
    ['a date', () => new Date(Date.now() + 2 * 60 * MINUTE_MS).toUTCString(), 119, 133],
    ['a month, which is cut to a day', () => '2592000', 1440, 1585],
    ['less than the schedule has', () => '1', 0, 0.1],
  ] as const) {
    test(`honours Retry-After: ${what}`, async () => {
      const { receiver, happen, startWorker, deliveryWhen } = await openOne((response) => {
        response.writeHead(429, { 'retry-after': header() }).end();
      });
      startWorker([receiver]);
      await happen();
      const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
      const minutes = wait(row) / MINUTE_MS;
      assert.ok(minutes >= least - 0.1 && minutes <= most, `${minutes} minutes`);
    });
  }
});

describe('an endpoint that misbehaves', () => {
  for (const [what, answer, status] of [
    ['hangs', hang, null],
    ['drips a byte at a time', drip, 200],
  ] as const) {
    test(`that ${what} is cut off, and its notice tried again`, async () => {
      const { receiver, happen, startWorker, deliveryWhen } = await openOne(answer);
      startWorker([receiver], { timeoutMs: 1_000 });
      const at = Date.now();
      await happen();
      const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
      assert.ok(Date.now() - at < 3_000);
      assert.equal(row.status, 'pending');
      assert.equal(row.last_error, 'No complete answer within 1 seconds.');
      assert.equal(row.last_response_status, status);
    });
  }

  test('that says 200 and then a megabyte has taken the notice; 64 kB of it are read', async () => {
    let written = 0;
    const { receiver, happen, startWorker, deliveryWhen } = await openOne((response) => {
      response.writeHead(200);
      const flood = () => {
        while (!response.destroyed && written < 64 * 1024 * 1024) {
          written += 65_536;
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', flood);
        }
      };
      flood();
    });
    startWorker([receiver]);
    await happen();
    await deliveryWhen(({ status }) => status === 'delivered');
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes`); // The rest is what sockets buffer.
  });

  test('that redirects is not followed', async () => {
    const elsewhere = await startReceiver();
    after(elsewhere.stop);
    const { receiver, happen, startWorker, deliveryWhen } = await openOne(
      answerWith(307, { location: elsewhere.url }),
    );
    startWorker([receiver, elsewhere]);
    await happen();
    const row = await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
    assert.equal(row.last_error, 'The endpoint answered 307; redirects are not followed.');
    assert.equal(elsewhere.received.length, 0);
  });

  test('that hangs delays nobody else, and takes one slot once it is known', async () => {
    const { receiver, happen, startWorker, addEndpoint, receive } = await openOne(hang);
    const well = await startReceiver();
    after(well.stop);
    await addEndpoint(well);
    startWorker([receiver, well], { timeoutMs: 60_000, leaseMs: 90_000 });
    const at = Date.now();
    await happen(40);
    await receive(well, 40);
    assert.ok(Date.now() - at < 5_000);
    assert.equal(receiver.received.length, 1);
  });

  test('that answers 410 is disabled at once, with all that was on its way to it', async () => {
    const { receiver, happen, startWorker, deliveries, deliveryWhen, endpoint, one } =
      await openOne(answerWith(410));
    await happen(5);
    startWorker([receiver]);
    await deliveryWhen(({ status }) => status === 'failed');
    await sleep(300);
    assert.equal((await endpoint(one.id)).disabled_reason, 'gone');
    const rows = await deliveries();
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(['failed']));
    assert.match(rows[4]!.last_error!, /answered 410 and was disabled/);
    assert.equal(receiver.received.length, 1);
    await happen();
    assert.equal((await deliveries()).length, 5);
  });

  test('that fails for five days is disabled; one success on the way forgives', async () => {
    const { receiver, happen, hurry, startWorker, deliveryWhen, endpoint, one, db } = await openOne(
      answerWith(500),
    );
    const pass = (days: number) =>
      sql`update webhook_endpoint set failing_since = failing_since - ${`${days} d`}::interval,
        last_failed_at = last_failed_at - interval '1 d'`.execute(db);
    startWorker([receiver]);
    await happen();
    const failed = (made: number) =>
      deliveryWhen((row) => row.attempts === made && !row.leased_until);
    await failed(1);
    await pass(4.9);
    await hurry();
    await failed(2);
    assert.equal((await endpoint(one.id)).disabled_at, null);

    receiver.answerWith(answerWith(200));
    await happen();
    await deliveryWhen(({ status }) => status === 'delivered');
    assert.equal((await endpoint(one.id)).failing_since, null);

    receiver.answerWith(answerWith(500));
    await hurry();
    await failed(3);
    await pass(5.1);
    await hurry();
    await deliveryWhen(({ status }) => status === 'failed');
    assert.equal((await endpoint(one.id)).disabled_reason, 'failing');
  });

  test('that failed once a month ago is not failing since then', async () => {
    const { receiver, happen, startWorker, deliveryWhen, endpoint, one, db } = await openOne(
      answerWith(500),
    );
    await db
      .updateTable('webhook_endpoint')
      .set({
        failing_since: sql`now() - interval '31 d'`,
        last_failed_at: sql`now() - interval '28 d'`,
      })
      .execute();
    startWorker([receiver]);
    await happen();
    await deliveryWhen((row) => row.attempts === 1 && !row.leased_until);
    assert.equal((await endpoint(one.id)).disabled_at, null);
  });

  test('whose credential was revoked gets nothing any more', async () => {
    const { receiver, happen, startWorker, deliveryWhen, revokeKey } = await openOne();
    await happen();
    await revokeKey();
    startWorker([receiver]);
    const row = await deliveryWhen(({ status }) => status === 'failed');
    assert.equal(row.last_error, 'The credential of this endpoint was revoked.');
    assert.equal(receiver.received.length, 0);
  });
});
