import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimiter, LimitsConfig } from './rate-limits.ts';

describe('the rate limit of the credential', () => {
  test('cannot exceed 120 requests in any 60 seconds (spec: Limits)', () => {
    const { points, seconds } = LimitsConfig.parse({}).credential;
    assert.ok(points * (60 / seconds + 1) <= 120);
  });
});

describe('RateLimiter', () => {
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
});
