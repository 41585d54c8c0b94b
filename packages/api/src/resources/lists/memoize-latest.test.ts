import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoizeLatest } from './memoize-latest.ts';

test('the most recently used values are cached, up to the limit', () => {
  const computed: string[] = [];
  const double = memoizeLatest((text: string) => (computed.push(text), text + text), String, 2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(double(text), text + text);
  assert.deepEqual(computed, ['a', 'b', 'c', 'b']);
});
