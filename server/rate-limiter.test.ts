import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiter } from './rate-limiter.ts';

test('allows the configured number, and then returns the wait for the next', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const limiter = new RateLimiter({ points: 2, seconds: 1 });
  assert.deepEqual(await Promise.all([limiter.consume('a'), limiter.consume('a')]), [0, 0]);
  const waitMs = await limiter.consume('a');
  assert.ok(waitMs > 0 && waitMs <= 1000);
  assert.equal(await limiter.consume('b'), 0);
  t.mock.timers.tick(waitMs);
  assert.equal(await limiter.consume('a'), 0);
});

test('a pause delays every caller, and always ends', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const limiter = new RateLimiter({ points: 2, seconds: 1 });
  await limiter.block('a', 0);
  const waitMs = await limiter.consume('a');
  assert.ok(waitMs > 0 && waitMs <= 1000, String(waitMs));
});

test('counts beyond the limit, and again from one in the next window', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const limiter = new RateLimiter({ points: 1, seconds: 60 });
  assert.deepEqual([await limiter.count('a'), await limiter.count('a')], [1, 2]);
  assert.equal(await limiter.count('b'), 1);
  t.mock.timers.tick(60_001);
  assert.equal(await limiter.count('a'), 1);
});

test('a full rate limiter forgets the key that came first, and no other', async () => {
  const limiter = new RateLimiter({ points: 10, seconds: 600 }, 2);
  const counts = async (...keys: string[]) => {
    const results: number[] = [];
    for (const key of keys) results.push(await limiter.count(key));
    return results;
  };
  assert.deepEqual(await counts('a', 'b', 'a', 'b'), [1, 1, 2, 2]);
  assert.deepEqual(await counts('c', 'b'), [1, 3], 'c replaces a');
  assert.deepEqual(await counts('a', 'c'), [1, 2], 'a replaces b and starts from zero');
});

test('a blocked key counts as a key', async () => {
  const limiter = new RateLimiter({ points: 10, seconds: 600 }, 1);
  await limiter.block('a', 60);
  await limiter.consume('b');
  assert.equal(await limiter.consume('a'), 0);
});
