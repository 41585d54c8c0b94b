import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ConnectError } from '@connect-embed/contract';
import { cachedByKey, cachedResource } from './cached-resource.ts';

let clock = 0;
let value = 'old';
let etag: string | undefined;
let error: Error | undefined;
/** Entity tags that the requests named. */
let requests: (string | undefined)[] = [];

beforeEach(() => {
  [clock, value, etag, error, requests] = [0, 'old', undefined, undefined, []];
});

async function fetch(cachedTag: string | undefined) {
  requests.push(cachedTag);
  if (error) throw error;
  return etag !== undefined && etag === cachedTag ? undefined : { value, etag };
}

const options = {
  now: () => clock,
  lifetime: (_: string, fetchedAt: number) => ({
    refreshAt: fetchedAt + 30_000,
    staleAt: fetchedAt + 45_000,
    expiresAt: fetchedAt + 3_600_000,
  }),
};
const open = () => cachedResource(fetch, options);

describe('a cached resource', () => {
  test('is fetched once for concurrent uses, and again in the background', async () => {
    const resource = open();
    await Promise.all([resource.get(), resource.get()]);
    clock = 29_999;
    await resource.get();
    assert.equal(requests.length, 1);
    [clock, value] = [30_000, 'new'];
    assert.equal(await resource.get(), 'old');
    assert.equal(await resource.get(), 'new');
    assert.equal(requests.length, 2);
  });

  test('is waited for if it is stale', async () => {
    const resource = open();
    await resource.get();
    [clock, value] = [45_000, 'new'];
    assert.equal(await resource.get(), 'new');
    value = 'newer';
    resource.markStale();
    assert.equal(await resource.get(), 'newer');
  });

  test('is kept for as long as its tag is the current one', async () => {
    etag = '"1"';
    const resource = open();
    await resource.get();
    for (clock = 60_000; clock < 7_200_000; clock += 60_000)
      assert.equal(await resource.get(), 'old');
    assert.deepEqual(new Set(requests.slice(1)), new Set(['"1"']));
  });

  test('is the old one while the API fails, until it expires', async () => {
    const resource = open();
    await resource.get();
    [clock, error] = [3_599_999, new Error('down')];
    assert.equal(await resource.get(), 'old');
    clock += 1;
    await assert.rejects(resource.get(), error);
  });

  test('is asked for once in two seconds while the API fails', async () => {
    error = new Error('down');
    const resource = open();
    for (let use = 0; use < 3; use += 1) await assert.rejects(resource.get(), error);
    assert.equal(requests.length, 1);
    [clock, error] = [2000, undefined];
    assert.equal(await resource.get(), 'old');
  });

  test('is not waited for after a failure, unless that was long ago', async () => {
    const resource = open();
    await resource.get();
    [clock, error] = [60_000, new Error('down')];
    await resource.get();
    [clock, value, error] = [70_000, 'new', undefined];
    assert.equal(await resource.get(), 'old');
    assert.equal(await resource.get(), 'new');
    [clock, error] = [120_000, new Error('down')];
    await resource.get();
    [clock, value, error] = [3_600_000, 'newest', undefined];
    assert.equal(await resource.get(), 'newest');
  });

  test('is waited for soon after a failure if too little of its time remains', async () => {
    const resource = open();
    await resource.get();
    [clock, error] = [3_590_000, new Error('down')];
    assert.equal(await resource.get(20_000), 'old');
    [clock, value, error] = [3_592_000, 'new', undefined];
    assert.equal(await resource.get(20_000), 'new');
  });

  test('is fetched again if too little of its time remains, or the API rejects it', async () => {
    const resource = open();
    await resource.get();
    value = 'new';
    assert.equal(await resource.get(3_599_999), 'old');
    assert.equal(await resource.get(3_600_000), 'new');
    resource.forget('old');
    assert.equal(requests.length, 2);
    resource.forget('new');
    await resource.get();
    assert.equal(requests.length, 3);
  });
});

describe('resources by key', () => {
  test('remember the keys that were used last', async () => {
    const fetched: string[] = [];
    const resources = cachedByKey(
      async (key: string) => {
        fetched.push(key);
        return { value: key };
      },
      { ...options, maxKeys: 2 },
    );
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(await resources.get(key), key);
    assert.deepEqual(fetched, ['a', 'b', 'c', 'b']);
  });

  test('remember no organization that is not connected', async () => {
    let isConnected = false;
    const resources = cachedByKey(async (key: string) => {
      if (isConnected) return { value: key };
      throw new ConnectError('forbidden', 'No.', { code: 'organization_not_connected' });
    }, options);
    await assert.rejects(resources.get('org_1'));
    isConnected = true;
    assert.equal(await resources.get('org_1'), 'org_1');
  });
});
