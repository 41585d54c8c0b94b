import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_SCOPES, type ComponentSession } from '@connect-embed/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { openLive } from '../../test-support/network/live-client.ts';
import { cardPayment } from '../../test-support/donations/payment-snapshot.ts';
import { eventually, startApi } from '../../test-support/app/start-api.ts';
import { newId } from '../lib/id.ts';
import { recordDonation } from '../payments/record-donation.ts';
import { resourceEvent } from '../webhooks/enqueue-event.ts';

const { db, pool, post, url, deps } = await startApi();

/** Opens the live stream of a page. */
async function openLiveStream(lastEventId?: string) {
  const response = await post('/component-sessions', ALL_SCOPES, { components: ['donations'] });
  const { token } = (await response.json()) as ComponentSession;
  const stream = await openLive(url, token, lastEventId ? { lastEventId } : {});
  after(stream.close); // Closed even if a test fails.
  await eventually(async () => stream.eventsOf('open')[0]);
  return stream;
}

/**
 * Creates a payment as Stripe reports it. All payments have the same fund and campaign, which must
 * not block concurrent transactions.
 */
const paymentOf = (donor: string) =>
  cardPayment({
    paymentIntentId: newId('pi'),
    metadata: {
      fund_id: 'fund_meals',
      campaign_id: 'camp_winter',
      donor_name: donor,
      donor_email: `${donor}@example.org`,
    },
  });

/** Records a donation in a transaction that is not committed yet. */
async function recordInOpenTransaction(donor: string) {
  const transaction = await db.startTransaction().execute();
  const context = { organizationId: 'org_harbor', intent: null };
  const { id } = (await recordDonation(transaction, context, paymentOf(donor), 1)).donation;
  const event = resourceEvent('donation.created', 'org_harbor', id);
  await deps.webhooks.enqueue(transaction, event);
  return { id, commit: () => transaction.commit().execute() };
}

const donation = () => ({
  id: newId('don'),
  organization_id: 'org_harbor',
  amount_cents: 500,
  currency: 'usd',
  source: 'api' as const,
});

describe('a donation while a live stream is open', () => {
  test('is committed without NOTIFY, which would serialize all commits of the server', async () => {
    const response = await post('/component-sessions', ALL_SCOPES, { components: ['donations'] });
    const stream = await openLive(url, ((await response.json()) as ComponentSession).token);
    await eventually(async () => stream.eventsOf('open')[0]);
    const { streamCount } = await db
      .selectFrom('live_stream')
      .select((eb) => eb.fn.countAll<number>().as('streamCount'))
      .executeTakeFirstOrThrow();
    assert.equal(streamCount, 1);

    // PostgreSQL delivers notifications before the result of the next statement.
    const listener = new pg.Client(pool.options);
    const notifications: string[] = [];
    listener.on('notification', ({ channel }) => notifications.push(channel));
    await listener.connect();
    after(() => listener.end());
    await listener.query('listen connect_live');
    const row = donation();
    await db.insertInto('donation').values(row).execute();
    await db
      .updateTable('donation')
      .set({ refund_status: 'full' })
      .where('id', '=', row.id)
      .execute();
    // A transaction of another database may delay the log: earlier donations are sent again then.
    await eventually(async () =>
      stream
        .eventsOf('donation')
        .find(({ data }) => data['id'] === row.id && data['refund_status'] === 'full'),
    );
    await listener.query('select 1');
    assert.deepEqual(notifications, []);
    await stream.close();
  });

  test('does not wait for a donation in an open transaction, and is sent in order', async () => {
    const streams = [await openLiveStream(), await openLiveStream()];
    const message = (stream: (typeof streams)[number], ids: string[]) =>
      stream
        .eventsOf('donation')
        .map(({ data }) => data['id'])
        .filter((id) => ids.includes(id as string));
    const first = await recordInOpenTransaction('ada');
    const commitSecond = async () => {
      const second = await recordInOpenTransaction('ben');
      await second.commit();
      return second;
    };
    // The first transaction commits only after this one. If the second waited for the first,
    // neither would ever finish.
    const timeout = sleep(5_000, undefined, { ref: false });
    const second = await Promise.race([commitSecond(), timeout]);
    assert.ok(second, 'it waits for a transaction that is still open');
    const ids = [first.id, second.id];
    const { rows } = await sql<{ id: string }>`
      select id from donation where id in (${sql.join(ids)})`.execute(db);
    assert.deepEqual(rows, [{ id: second.id }]);
    // A stream that resumes reads the log before its heartbeat. If it sent the second donation now, the
    // first would be behind the position of the streams.
    const resumed = await openLiveStream(streams[0]!.id);
    await eventually(async () => resumed.eventsOf('beat')[0]);
    streams.push(resumed);
    for (const stream of streams) assert.deepEqual(message(stream, ids), []);
    const positionBetween = resumed.id;
    await first.commit();
    for (const stream of streams) {
      await eventually(async () => (message(stream, ids).length >= 2 ? true : undefined));
      assert.deepEqual(message(stream, ids), ids);
    }
    // A page that lost its connection in between gets both donations.
    const returned = await openLiveStream(positionBetween);
    await eventually(async () => (message(returned, ids).length >= 2 ? true : undefined));
    assert.deepEqual(message(returned, ids), ids);
    // A second message would be sent before that of a later donation.
    const marker = await recordInOpenTransaction('cleo');
    await marker.commit();
    for (const stream of [...streams, returned]) {
      await eventually(async () => message(stream, [marker.id])[0]);
      assert.deepEqual(message(stream, ids), ids, 'each is told once');
    }
  });

  test('no database function calls NOTIFY', async () => {
    const { rows } = await sql<{ name: string }>`
      select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc ~* '\\mnotify|pg_notify'`.execute(db);
    assert.deepEqual(rows, []);
  });
});
