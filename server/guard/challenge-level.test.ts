import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_LEVEL } from '@connect-embed/contract/challenge-level';
import { ChallengeLevel } from './challenge-level.ts';

const levelsOf = async (challengeLevel: ChallengeLevel, attempts: number) => {
  const levels: number[] = [];
  for (let i = 0; i < attempts; i++) levels.push(await challengeLevel.countAttempt('a'));
  return levels;
};

describe('ChallengeLevel', () => {
  test('is 0 within the quota, and rises by one each time the attempts double', async () => {
    const levels = await levelsOf(new ChallengeLevel({ points: 2, seconds: 600 }), 9);
    assert.deepEqual(levels, [0, 0, 1, 1, 2, 2, 2, 2, 3]);
  });

  test('stops at its maximum, which is lower for shared keys', async () => {
    const quota = { points: 1, seconds: 600 };
    assert.equal((await levelsOf(new ChallengeLevel(quota), 1000)).at(-1), MAX_LEVEL);
    assert.equal((await levelsOf(new ChallengeLevel(quota, 2), 1000)).at(-1), 2);
  });

  test('counts keys separately, and resets with its window', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const challengeLevel = new ChallengeLevel({ points: 1, seconds: 60 });
    assert.deepEqual(await levelsOf(challengeLevel, 2), [0, 1]);
    assert.equal(await challengeLevel.countAttempt('b'), 0);
    t.mock.timers.tick(60_001);
    assert.equal(await challengeLevel.countAttempt('a'), 0);
  });
});
