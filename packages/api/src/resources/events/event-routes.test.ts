import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Registration } from '@connect-embed/contract';
import {
  ALL_SCOPES,
  FundraisingEvent,
  REGISTRATION_STATUSES,
  type List,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { readError, startApi } from '../../../test-support/app/start-api.ts';

const { db, get, createKey } = await startApi();
const { token } = await createKey();

async function list<Row = FundraisingEvent>(path: string, bearer: string = token): Promise<Row[]> {
  const response = await get(path, bearer);
  assert.equal(response.status, 200, path);
  return ((await response.json()) as List<Row>).data;
}
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

describe('GET /events', () => {
  test('contains each event’s ticket types, in order', async () => {
    const events = await list('/events');
    const gala = events.find(({ id }) => id === 'event_gala');
    assert.deepEqual(
      gala?.ticket_types.map(({ object, name, price_cents, is_active }) => [
        object,
        name,
        price_cents,
        is_active,
      ]),
      [
        ['event_ticket_type', 'Early bird', 6000, false],
        ['event_ticket_type', 'One seat', 8500, true],
        ['event_ticket_type', 'Table of eight', 64_000, true],
      ],
    );
    assert.deepEqual(events.find(({ id }) => id === 'event_run')?.ticket_types, []);
  });

  test('filters by published: drafts and cancelled events, or all others', async () => {
    const all = await list('/events');
    const published = await list('/events?published=true');
    const drafts = await list('/events?published=false');
    assert.ok(published.length > 0 && published.every((event) => event.published));
    assert.deepEqual(idsOf(drafts), ['event_cookout', 'event_volunteers']);
    assert.ok(drafts.every(({ published_at }) => published_at === null));
    assert.deepEqual(idsOf(all), idsOf([...published, ...drafts]));
  });

  test('filters by upcoming', async () => {
    const upcoming = await list('/events?upcoming=true');
    assert.ok(upcoming.every(({ starts_at }) => new Date(starts_at) >= new Date()));
    assert.deepEqual(
      idsOf(await list('/events')).filter((id) => !idsOf(upcoming).includes(id)),
      ['event_run'],
    );
    const filtered = await list('/events?upcoming=true&published=false');
    assert.deepEqual(idsOf(filtered), ['event_cookout', 'event_volunteers']);
  });

  for (const [query, field] of [
    ['published=yes', 'published'],
    ['published=TRUE', 'published'],
    ['published=1', 'published'],
    ['published=', 'published'],
    ['published=true&published=false', 'published'],
    ['upcoming=false', 'upcoming'],
    ['upcoming=', 'upcoming'],
    ['upcoming=1', 'upcoming'],
    ['status=confirmed', 'status'],
  ] as const) {
    test(`rejects ?${query}`, async () => {
      const error = await readError(await get(`/events?${query}`, token));
      assert.match(error, new RegExp(`^400 invalid_request ${field} `));
    });
  }
});

describe('GET /events/{id}', () => {
  test('returns a draft', async () => {
    const response = await get('/events/event_volunteers', token);
    assert.equal(FundraisingEvent.strict().parse(await response.json()).published, false);
  });
});

describe('GET /events/{id}/registrations', () => {
  const path = '/events/event_gala/registrations';

  for (const status of REGISTRATION_STATUSES) {
    const event = status === 'checked_in' ? 'event_run' : 'event_gala';
    test(`filters by status ${status}`, async () => {
      const at = `/events/${event}/registrations?limit=100`;
      const all = await list<Registration>(at);
      const filtered = await list<Registration>(`${at}&status=${status}`);
      assert.ok(filtered.length > 0);
      assert.deepEqual(
        filtered,
        all.filter((row) => row.status === status),
      );
    });
  }

  for (const query of ['status=done', 'status=', 'status=Confirmed', 'status=%00']) {
    test(`rejects ?${query}`, async () => {
      const error = await readError(await get(`${path}?${query}`, token));
      assert.match(error, /^400 invalid_request status /);
    });
  }

  test('contains no check-in code, processor id or tax field', async () => {
    const savedRows = await db
      .selectFrom('registration')
      .select(['check_in_hash', 'processor_payment_intent_id'])
      .where('event_id', '=', 'event_gala')
      .execute();
    assert.ok(savedRows.some((row) => row.check_in_hash));
    assert.ok(savedRows.some((row) => row.processor_payment_intent_id));
    const text = await (await get(`${path}?limit=100`, token)).text();
    assert.doesNotMatch(text, /check_in_(hash|code|token)|qr|processor|stripe|intent|tax/i);
    for (const { check_in_hash, processor_payment_intent_id } of savedRows) {
      if (processor_payment_intent_id) assert.ok(!text.includes(processor_payment_intent_id));
      if (!check_in_hash) continue;
      assert.ok(!text.includes(check_in_hash.toString('hex')));
      assert.ok(!text.includes(check_in_hash.toString('base64')));
    }
  });

  test('requires registrations:read, not events:read', async () => {
    const otherScopes = ALL_SCOPES.filter((scope) => scope !== 'registrations:read');
    const error = await readError(await get(path, otherScopes));
    assert.match(error, /^403 insufficient_scope .*registrations:read/);
    assert.equal((await get(path, ['registrations:read'])).status, 200);
  });

  test('is an empty list for an event without registrations', async () => {
    const response = await get('/events/event_volunteers/registrations', token);
    assert.deepEqual(await response.json(), { data: [], has_more: false, next_cursor: null });
  });
});

describe('a cursor', () => {
  const cursorOf = async (path: string) => {
    const { next_cursor } = (await (await get(path, token)).json()) as List<unknown>;
    assert.ok(next_cursor, path);
    return next_cursor;
  };

  test('is valid only with the same filters and the same event', async () => {
    const events = await cursorOf('/events?limit=1&published=true');
    const gala = await cursorOf('/events/event_gala/registrations?limit=1&status=confirmed');
    for (const path of [
      `/events?cursor=${events}`,
      `/events?published=false&cursor=${events}`,
      `/events?published=true&upcoming=true&cursor=${events}`,
      `/events/event_gala/registrations?cursor=${gala}`,
      `/events/event_gala/registrations?status=pending&cursor=${gala}`,
      `/events/event_run/registrations?status=confirmed&cursor=${gala}`,
    ]) {
      const error = await readError(await get(path, token));
      assert.match(error, /^400 invalid_request cursor /, path);
    }
    await list(`/events?published=true&limit=50&cursor=${events}`);
    await list(`/events/event_gala/registrations?status=confirmed&cursor=${gala}`);
  });
});

async function addPublishedEvents(count: number): Promise<void> {
  await sql`
    insert into event (id, organization_id, slug, title, event_format, timezone, pricing_mode,
      starts_at, published_at)
    select 'event_' || n, 'org_harbor', 'many-' || n, 'Many', 'online', 'UTC', 'free', now(), now()
    from generate_series(1, ${count}::int) as n on conflict do nothing`.execute(db);
  await sql`analyze event, registration`.execute(db);
}

describe('a filter', () => {
  for (const [table, owner, filter, index] of [
    ['event', 'organization_id', 'published = false', 'event_list_published'],
    ['registration', 'event_id', "status = 'confirmed'", 'registration_list_status'],
  ] as const) {
    test(`of ${table} reads rows in order from its own index`, async () => {
      await addPublishedEvents(3000); // With few rows PostgreSQL does not need an index.
      const plan = await db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        await sql`set local enable_bitmapscan = off`.execute(tx);
        await sql`set local enable_sort = off`.execute(tx);
        return await sql<{ 'QUERY PLAN': string }>`
          explain (costs off) select * from ${sql.table(table)}
          where ${sql.ref(owner)} = ${sql.lit(owner === 'event_id' ? 'event_gala' : 'org_harbor')} and ${sql.raw(filter)}
            and (created_at, id) < (now(), 'x')
          order by created_at desc, id desc limit 26`.execute(tx);
      });
      const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(text, new RegExp(`Index Scan Backward using ${index}`));
      assert.match(text, /Index Cond: .*ROW\(created_at, \(?id/);
      assert.doesNotMatch(text, /Sort|Filter/);
    });
  }
});
