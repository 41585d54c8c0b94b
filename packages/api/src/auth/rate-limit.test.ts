import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { within } from '../../test-support/app/within.ts';
import { startApi } from '../../test-support/app/start-api.ts';
import { removeExpired } from '../process/remove-expired.ts';

const { db, get, post, createKey } = await startApi();

/** Records earlier requests of a credential, oldest first. */
async function recordRequests(
  credentialId: string,
  ...earlierRequests: { times: number; secondsAgo: number }[]
) {
  const ages = earlierRequests.flatMap(({ times, secondsAgo }) =>
    Array<number>(times).fill(secondsAgo),
  );
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
async function requestOrganization(token: string): Promise<Response> {
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
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => requestOrganization(token)),
    );
    const allowed = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    assert.deepEqual([allowed.length, refused.length], [120, 80]);
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) <= 60));
  });

  test('allows no more than 120 requests in any 60 seconds', async () => {
    const { id, token } = await createKey();
    const refused = await within(500, async () => {
      await recordRequests(id, { times: 70, secondsAgo: 59.5 }, { times: 50, secondsAgo: 20 });
      return await get('/organization', token);
    });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');

    const from = performance.now();
    await recordRequests(id, { times: 70, secondsAgo: 60 }, { times: 50, secondsAgo: 20 });
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => requestOrganization(token)),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 70);
    const remainingSeconds = Math.ceil(40 - (performance.now() - from) / 1000);
    for (const { status, headers } of responses) {
      if (status !== 429) continue;
      const retryAfter = Number(headers.get('retry-after'));
      assert.ok(
        retryAfter >= remainingSeconds && retryAfter <= 40,
        `${retryAfter} s, and ${remainingSeconds} s are left`,
      );
    }
  });

  test('allows a request after Retry-After, and does not count rejected requests', async () => {
    const { id, token } = await createKey();
    const from = performance.now();
    const since = () => (performance.now() - from) / 1000;
    await recordRequests(id, { times: 1, secondsAgo: 50.6 }, { times: 119, secondsAgo: 20 });
    const [refused] = await Promise.all(
      Array.from({ length: 20 }, () => get('/organization', token)),
    );
    const seconds = Number(refused!.headers.get('retry-after'));
    assert.ok(seconds >= Math.ceil(9.4 - since()) && seconds <= 10, `${seconds} s`);
    await advanceTime(id, seconds);
    const allowed = await get('/organization', token);
    assert.equal(allowed.status, 200);
    const [, secondsToReset] =
      /^"default";r=0;t=(\d+)$/.exec(allowed.headers.get('ratelimit') ?? '') ?? [];
    const maxSeconds = 40 - seconds;
    assert.ok(
      Number(secondsToReset) <= maxSeconds &&
        Number(secondsToReset) >= Math.ceil(maxSeconds - since()),
      `${secondsToReset} s`,
    );
    assert.equal((await get('/organization', token)).status, 429);
  });

  test('removes the state of credentials that were idle for a minute', async () => {
    const [old, recent] = [await createKey(), await createKey()];
    const { rows } = await within(1000, async () => {
      await recordRequests(old.id, { times: 3, secondsAgo: 61 });
      await recordRequests(recent.id, { times: 3, secondsAgo: 59 });
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
    const remainingRequests = async (bearer: string, path: string) =>
      /r=(\d+)/.exec((await get(path, bearer)).headers.get('ratelimit') ?? '')?.[1];
    const embed = await post('/embed-sessions', token, {});
    const component = await post('/component-sessions', token, { components: ['donors'] });
    const { session_token } = (await embed.json()) as { session_token: string };
    const { token: reader } = (await component.json()) as { token: string };
    assert.equal(await remainingRequests(session_token, '/embed-sessions/current'), '117');
    assert.equal(await remainingRequests(reader, '/donors'), '119');
    assert.equal(await remainingRequests(token, '/organization'), '116');
  });
});
