import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestBump, nextVersion, requiredBump, requireLargeEnough } from './version.ts';

test('a release gets the largest bump of its changesets', () => {
  assert.equal(largestBump(['patch', 'minor', 'patch']), 'minor');
  assert.equal(largestBump([]), undefined);
  assert.equal(nextVersion('0.1.0', 'patch'), '0.1.1');
  assert.equal(nextVersion('0.1.4', 'minor'), '0.2.0');
  assert.equal(nextVersion('1.2.3', 'major'), '2.0.0');
});

test('a breaking change cannot be released as a smaller version', () => {
  assert.equal(requiredBump('0.1.0', 'feature'), 'patch');
  assert.equal(requiredBump('1.0.0', 'feature'), 'minor');
  assert.throws(() => requireLargeEnough('patch', '0.1.0', 'breaking'), /needs a minor version/);
  assert.throws(() => requireLargeEnough('minor', '1.4.0', 'breaking'), /needs a major version/);
  requireLargeEnough('minor', '0.1.0', 'breaking');
  requireLargeEnough('patch', '1.4.0', 'none');
});
