import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ALL_SCOPES, type ComponentSession } from '@connect-embed/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { openLive } from '../../test-support/live-client.ts';
import { eventually, startApi } from '../../test-support/start-api.ts';
import { newId } from '../id.ts';

const { db, pool, post, url } = await startApi();

const donation = () => ({
  id: newId('don'),
  organization_id: 'org_harbor',
  amount_cents: 500,
  currency: 'usd',
  source: 'api' as const,
});

describe('a donation while somebody watches a table', () => {
  test('is committed without NOTIFY, for which all commits of the server would wait', async () => {
    const answer = await post('/component-sessions', ALL_SCOPES, { components: ['donations'] });
    const stream = await openLive(url, ((await answer.json()) as ComponentSession).token);
    await eventually(async () => stream.of('open')[0]);
    const { watched } = await db
      .selectFrom('live_stream')
      .select((eb) => eb.fn.countAll<number>().as('watched'))
      .executeTakeFirstOrThrow();
    assert.equal(watched, 1);

    // PostgreSQL hands notifications over before the answer to the next statement.
    const listener = new pg.Client(pool.options);
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
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
    const told = await eventually(async () =>
      stream.of('donation').find(({ data }) => data['refund_status'] === 'full'),
    );
    assert.equal(told.data['id'], row.id);
    await listener.query('select 1');
    assert.deepEqual(heard, []);
    await stream.close();
  });

  test('is not notified of by any function of the database', async () => {
    const { rows } = await sql<{ name: string }>`
      select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc ~* '\\mnotify|pg_notify'`.execute(db);
    assert.deepEqual(rows, []);
  });
});
