import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ALL_SCOPES,
  Donation,
  Donor,
  MASKS,
  Payout,
  type ComponentSession,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { waitForOldTransactions, openLive } from '../../test-support/network/live-client.ts';
import { eventually, readError, startApi } from '../../test-support/app/start-api.ts';
import { newId } from '../lib/id.ts';
import { MAX_BATCH_CHANGES, removeOldChanges } from './change-log.ts';

const { db, get, post, url, createKey } = await startApi();
const ORGANIZATION = 'org_harbor';

async function open(components = ['donations', 'donors', 'payouts'], masks: string[] = []) {
  const response = await post('/component-sessions', ALL_SCOPES, { components, masks });
  await waitForOldTransactions(db);
  return (await response.json()) as ComponentSession;
}

async function listen(components?: string[], options: Parameters<typeof openLive>[2] = {}) {
  const session = await open(components);
  const stream = await openLive(url, session.token, options);
  await eventually(async () => stream.eventsOf('open')[0]);
  return Object.assign(stream, { session });
}

async function insertDonation(change: object = {}, organization_id = ORGANIZATION) {
  const row = {
    id: newId('don'),
    organization_id,
    amount_cents: 500,
    currency: 'usd',
    source: 'api' as const,
    ...change,
  };
  await db.insertInto('donation').values(row).execute();
  return row.id;
}

describe('GET /live', () => {
  test('is a stream that proxies do not cache, compress or buffer', async () => {
    const stream = await listen();
    const { headers } = stream.response;
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-store, no-transform');
    assert.equal(headers.get('x-accel-buffering'), 'no');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    await stream.close();
  });

  test('sends each kind of resource as its list returns it', async () => {
    const stream = await listen();
    const donation = await insertDonation({ donor_name: 'Ada Lovelace', fund_id: 'fund_meals' });
    const donor = newId('dnr');
    const organization_id = ORGANIZATION;
    await db
      .insertInto('donor')
      .values({ id: donor, organization_id, email: 'ada@example.org', source: 'api' })
      .execute();
    const payout = newId('po');
    await db
      .insertInto('payout')
      .values({
        ...{ id: payout, organization_id, amount_cents: 500, currency: 'usd', status: 'paid' },
        arrival_date: new Date('2026-03-01'),
      })
      .execute();
    for (const [kind, path, id, schema] of [
      ['donation', 'donations', donation, Donation],
      ['donor', 'donors', donor, Donor],
      ['payout', 'payouts', payout, Payout],
    ] as const) {
      const event = await eventually(async () => stream.eventsOf(kind)[0]);
      assert.deepEqual(event.data, await (await get(`/${path}/${id}`, ALL_SCOPES)).json());
      assert.ok(schema.strict().safeParse(event.data).success);
    }
    await stream.close();
  });

  test('sends refunds and disputes, and no changes of internal columns', async () => {
    const id = await insertDonation();
    const stream = await listen(['donations']);
    const change = (values: object) =>
      db.updateTable('donation').set(values).where('id', '=', id).execute();
    await change({ row_version: 7 });
    await change({ refund_status: 'partial', refunded_amount_cents: 100 });
    await eventually(async () => stream.eventsOf('donation')[0]);
    await change({ dispute_status: 'open' });
    await eventually(async () => stream.eventsOf('donation')[1]);
    assert.deepEqual(
      stream
        .eventsOf('donation')
        .map(({ data }) => [data['refunded_amount_cents'], data['dispute_status']]),
      [
        [100, 'none'],
        [100, 'open'],
      ],
    );
    await stream.close();
  });

  test('sends no test of an organization that is live, whose lists do not contain it', async () => {
    const stream = await listen(['donations']);
    const setLive = (live_since: Date | null) =>
      db.updateTable('organization').set({ live_since }).where('id', '=', ORGANIZATION).execute();
    const counted = await insertDonation({ livemode: false });
    await eventually(async () => stream.eventsOf('donation')[0]);
    await setLive(new Date());
    await insertDonation({ livemode: false });
    const live = await insertDonation();
    await eventually(async () => stream.eventsOf('donation')[1]);
    await setLive(null);
    assert.deepEqual(
      stream.eventsOf('donation').map(({ data }) => data['id']),
      [counted, live],
    );
    await stream.close();
  });

  test('sends no change that is rolled back', async () => {
    const stream = await listen(['donations']);
    const tx = await db.startTransaction().execute();
    const values = { id: newId('don'), organization_id: ORGANIZATION, amount_cents: 500 };
    await tx
      .insertInto('donation')
      .values({ ...values, currency: 'usd', source: 'api' })
      .execute();
    await tx.rollback().execute();
    const id = await insertDonation();
    await eventually(async () => stream.eventsOf('donation')[0]);
    assert.deepEqual(
      stream.eventsOf('donation').map(({ data }) => data['id']),
      [id],
    );
    await stream.close();
  });

  test('sends no changes of other organizations or of other components', async () => {
    const narrow = await listen(['donations', 'donors'], { components: 'donors' });
    const wide = await listen(['donations']);
    const other = await db
      .selectFrom('organization')
      .select('id')
      .where('id', '<>', ORGANIZATION)
      .executeTakeFirstOrThrow();
    await insertDonation({}, other.id);
    const ownDonation = await insertDonation();
    await eventually(async () => wide.eventsOf('donation')[0]);
    await db
      .insertInto('donor')
      .values({ id: newId('dnr'), organization_id: ORGANIZATION, source: 'api' })
      .execute();
    await eventually(async () => narrow.eventsOf('donor')[0]);
    assert.deepEqual(
      wide.eventsOf('donation').map(({ data }) => data['id']),
      [ownDonation],
    );
    assert.deepEqual(narrow.eventsOf('donation'), []);
    assert.deepEqual(wide.eventsOf('donor'), []);
    await Promise.all([narrow.close(), wide.close()]);
  });

  test('masks the fields that the session masks', async () => {
    const { token } = await open(['donations'], [...MASKS]);
    const stream = await openLive(url, token);
    await eventually(async () => stream.eventsOf('open')[0]);
    await insertDonation({ donor_name: 'Ada Lovelace', donor_email: 'ada@example.org' });
    const donationEvent = await eventually(async () => stream.eventsOf('donation')[0]);
    assert.deepEqual(
      [donationEvent.data['donor_name'], donationEvent.data['donor_email']],
      ['A. L.', null],
    );
    assert.doesNotMatch(JSON.stringify(stream.received), /Lovelace|example\.org/);
    await stream.close();
  });

  test('sends reset if there are too many changes', async () => {
    const stream = await listen(['donations']);
    await sql`
      insert into donation (id, organization_id, amount_cents, currency, source)
      select 'don_many_' || number, ${ORGANIZATION}, 500, 'usd', 'import'
      from generate_series(1, ${sql.lit(MAX_BATCH_CHANGES + 1)}) as number`.execute(db);
    await eventually(async () => stream.eventsOf('reset')[0]);
    assert.deepEqual(stream.eventsOf('donation'), []);
    // While a transaction runs on the server, the changes are read again with the next donation and
    // sent as another reset: docs/decisions/0058-live-tables.md
    while (stream.eventsOf('donation').length === 0) {
      const resets = stream.eventsOf('reset').length;
      await insertDonation();
      await eventually(
        async () => stream.eventsOf('donation')[0] ?? stream.eventsOf('reset')[resets],
      );
    }
    await stream.close();
  });

  test('does not resume from an expired position', async () => {
    const stream = await listen(['donations']);
    await stream.close();
    const [xid, seq, readAt] = stream.id.split('-');
    const secondsUntilExpiry = 23 * 3600 + 1;
    for (const lastEventId of [
      `${xid}-${seq}-${Number(readAt) - secondsUntilExpiry}`,
      // From another PostgreSQL cluster, whose backup was restored here.
      `${BigInt(xid!) + 10n ** 15n}-0-${readAt}`,
    ]) {
      const resumed = await listen(['donations'], { lastEventId });
      assert.deepEqual(
        resumed.eventsOf('open').map(({ data }) => data),
        [{ resumed: false }],
      );
      await resumed.close();
    }
  });

  test('deletes changes after a day', async () => {
    await insertDonation();
    await sql`update resource_change set created_at = now() - interval '25 hours'`.execute(db);
    const id = await insertDonation();
    await removeOldChanges(db);
    const rows = await db.selectFrom('resource_change').select('resource_id').execute();
    assert.deepEqual(
      rows.map(({ resource_id }) => resource_id),
      [id],
    );
  });

  test('counts as one request in the rate limit', async () => {
    const stream = await listen(['donations']);
    for (let index = 0; index < 5; index += 1) await insertDonation();
    await eventually(async () => stream.eventsOf('donation')[4]);
    const response = await get('/donations?limit=1', stream.session.token);
    assert.match(response.headers.get('ratelimit') ?? '', /r=118/);
    await stream.close();
  });

  test('ends when its session expires', async () => {
    const { id, token } = await open(['donations']);
    const openBeforeExpiry = async (seconds: number) => {
      const expires_at = sql<Date>`now() + ${seconds} * interval '1 second'`;
      await db.updateTable('component_session').set({ expires_at }).where('id', '=', id).execute();
      return await openLive(url, token);
    };
    // On a busy machine the session may expire before the stream is open.
    const stream = await openBeforeExpiry(1).catch(() => openBeforeExpiry(20));
    await stream.ended;
    assert.deepEqual(
      stream.eventsOf('end').map(({ data }) => data),
      [{ reason: 'expired' }],
    );
  });

  test('opens no stream for HEAD', async () => {
    const { id, token } = await open(['donations']);
    const response = await fetch(`${url}/api/v1/live`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(response.status, 200);
    const slotRows = db.selectFrom('live_stream').select('id').where('session_id', '=', id);
    assert.deepEqual(await slotRows.execute(), []);
  });

  for (const [description, path, headers, error] of [
    ['an unknown component', '/live?components=events', {}, /^400 invalid_request components /],
    [
      'a component that the session does not have',
      '/live?components=donors',
      {},
      /^403 insufficient_scope .*donors/,
    ],
    ['an unknown parameter', '/live?since=0', {}, /^400 invalid_request since /],
    [
      'an invalid Last-Event-ID',
      '/live',
      { 'last-event-id': 'x' },
      /^400 invalid_request Last-Event-ID /,
    ],
    [
      'a number beyond the range of bigint',
      '/live',
      { 'last-event-id': `${'9'.repeat(30)}-1-1` },
      /^400 invalid_request Last-Event-ID /,
    ],
  ] as const) {
    test(`rejects ${description}`, async () => {
      const { token } = await open(['donations']);
      assert.match(await readError(await get(path, token, headers)), error);
    });
  }

  test('is forbidden for API keys, which have webhooks', async () => {
    const { token } = await createKey();
    assert.match(await readError(await get('/live', token)), /^403 forbidden /);
  });
});
