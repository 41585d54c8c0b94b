import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { within } from '../../test-support/within.ts';
import { startApi } from '../../test-support/start-api.ts';
import { removeExpired } from '../process/remove-expired.ts';

const { db, get, post, createKey } = await startApi();

/** Records earlier requests of a credential, oldest first. */
async function asked(credentialId: string, ...before: { times: number; secondsAgo: number }[]) {
  const ages = before.flatMap(({ times, secondsAgo }) => Array<number>(times).fill(secondsAgo));
  await sql`
    insert into request_budget
    select ${credentialId}, array_agg(clock_timestamp() - age * interval '1 s')
    from unnest(${ages}::float8[]) as age
    on conflict (key) do update set request_times = excluded.request_times`.execute(db);
}

/**
 * Retries a request that found no free database connection, because a test sends many
 * simultaneously.
 */
async function ask(token: string): Promise<Response> {
  for (;;) {
    const response = await get('/organization', token);
    if (response.status !== 503) return response;
  }
}

/** Simulates that time passes, by moving the recorded times into the past. */
const advanceTime = (credentialId: string, seconds: number) =>
  sql`update request_budget set request_times = array(
    select at - ${seconds} * interval '1 s' from unnest(request_times) as at order by at
  ) where key = ${credentialId}`.execute(db);

describe('the rate limit', () => {
  test('allows exactly 120 of 200 simultaneous requests', async () => {
    const { token } = await createKey();
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(token)));
    const allowed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([allowed.length, refused.length], [120, 80]);
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) <= 60));
  });

  test('allows no more than 120 requests in any 60 seconds', async () => {
    const { id, token } = await createKey();
    const refused = await within(500, async () => {
      await asked(id, { times: 70, secondsAgo: 59.5 }, { times: 50, secondsAgo: 20 });
      return await get('/organization', token);
    });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');

    const from = performance.now();
    await asked(id, { times: 70, secondsAgo: 60 }, { times: 50, secondsAgo: 20 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 70);
    const left = Math.ceil(40 - (performance.now() - from) / 1000);
    for (const { status, headers } of answers) {
      if (status !== 429) continue;
      const wait = Number(headers.get('retry-after'));
      assert.ok(wait >= left && wait <= 40, `${wait} s, and ${left} s are left`);
    }
  });

  test('allows a request after Retry-After, and does not count rejected requests', async () => {
    const { id, token } = await createKey();
    const from = performance.now();
    const since = () => (performance.now() - from) / 1000;
    await asked(id, { times: 1, secondsAgo: 50.6 }, { times: 119, secondsAgo: 20 });
    const [refused] = await Promise.all(
      Array.from({ length: 20 }, () => get('/organization', token)),
    );
    const seconds = Number(refused!.headers.get('retry-after'));
    assert.ok(seconds >= Math.ceil(9.4 - since()) && seconds <= 10, `${seconds} s`);
    await advanceTime(id, seconds);
    const allowed = await get('/organization', token);
    assert.equal(allowed.status, 200);
    const [, left] = /^"default";r=0;t=(\d+)$/.exec(allowed.headers.get('ratelimit') ?? '') ?? [];
    const most = 40 - seconds;
    assert.ok(Number(left) <= most && Number(left) >= Math.ceil(most - since()), `${left} s`);
    assert.equal((await get('/organization', token)).status, 429);
  });

  test('removes the state of credentials that were idle for a minute', async () => {
    const [old, recent] = [await createKey(), await createKey()];
    const { rows } = await within(1000, async () => {
      await asked(old.id, { times: 3, secondsAgo: 61 });
      await asked(recent.id, { times: 3, secondsAgo: 59 });
      await removeExpired(db);
      return await sql<{ key: string }>`select key from request_budget
        where key in (${old.id}, ${recent.id})`.execute(db);
    });
    assert.deepEqual(rows, [{ key: recent.id }]);
  });

  test('reports the remaining requests in headers', async () => {
    const { token } = await createKey();
    const { headers } = await get('/organization', token);
    assert.equal(headers.get('ratelimit-policy'), '"default";q=120;w=60');
    assert.match(headers.get('ratelimit') ?? '', /^"default";r=119;t=(59|60)$/);
  });

  test('counts an embed session for its key, and a component session separately', async () => {
    const { token } = await createKey();
    const left = async (bearer: string, path: string) =>
      /r=(\d+)/.exec((await get(path, bearer)).headers.get('ratelimit') ?? '')?.[1];
    const embed = await post('/embed-sessions', token, {});
    const component = await post('/component-sessions', token, { components: ['donors'] });
    const { session_token } = (await embed.json()) as { session_token: string };
    const { token: reader } = (await component.json()) as { token: string };
    assert.equal(await left(session_token, '/embed-sessions/current'), '117');
    assert.equal(await left(reader, '/donors'), '119');
    assert.equal(await left(token, '/organization'), '116');
  });
});
