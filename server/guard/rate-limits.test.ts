import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LimitsConfig } from './rate-limits.ts';

test('the rate limit of the credential cannot exceed 120 requests in any 60 seconds (spec: Limits)', () => {
  const { points, seconds } = LimitsConfig.parse({}).credential;
  assert.ok(points * (60 / seconds + 1) <= 120);
});
