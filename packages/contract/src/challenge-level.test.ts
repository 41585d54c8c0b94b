import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challengeLevel, MAX_LEVEL } from './challenge-level.ts';

test('the level is 0 while attempts are free, and rises by one each time they double', () => {
  const levels = Array.from({ length: 9 }, (_, index) => challengeLevel(index + 1, 2));
  assert.deepEqual(levels, [0, 0, 1, 1, 2, 2, 2, 2, 3]);
});

test('the level stops at its maximum, which is lower for shared keys', () => {
  assert.equal(challengeLevel(1000, 1), MAX_LEVEL);
  assert.equal(challengeLevel(1000, 1, 2), 2);
});
