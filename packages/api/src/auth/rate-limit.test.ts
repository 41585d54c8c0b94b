import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '../../test-support/start-api.ts';

const { get, post, createKey } = await startApi();

describe('the rate limit', () => {
  test('lets exactly 120 of 200 requests pass that come at once', async () => {
    const { token } = await createKey();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => get('/organization', token)),
    );
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([passed.length, refused.length], [120, 80]);
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) <= 60));
  });

  test('tells what is left', async () => {
    const { token } = await createKey();
    const { headers } = await get('/organization', token);
    assert.equal(headers.get('ratelimit-policy'), '"default";q=120;w=60');
    assert.match(headers.get('ratelimit') ?? '', /^"default";r=119;t=(59|60)$/);
  });

  test('counts an embed session for its key, and a component session for itself', async () => {
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
