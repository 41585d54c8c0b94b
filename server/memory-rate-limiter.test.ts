import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';

test('a full rate limiter forgets the key that came first, and no other', async () => {
  const limiter = new MemoryRateLimiter({ points: 10, seconds: 600, maxKeys: 2 });
  const counts = async (...keys: string[]) => {
    const results: number[] = [];
    for (const key of keys) results.push((await limiter.penalty(key)).consumedPoints);
    return results;
  };
  assert.deepEqual(await counts('a', 'b', 'a', 'b'), [1, 1, 2, 2]);
  assert.deepEqual(await counts('c', 'b'), [1, 3], 'c replaces a');
  assert.deepEqual(await counts('a', 'c'), [1, 2], 'a replaces b and starts from zero');
});

test('a blocked key counts as a key', async () => {
  const limiter = new MemoryRateLimiter({ points: 10, seconds: 600, maxKeys: 1 });
  await limiter.block('a', 60);
  await limiter.consume('b');
  assert.equal(await limiter.get('a'), null);
});
