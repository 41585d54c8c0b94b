import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoizeLatest } from './memoize-latest.ts';

test('what was used last is remembered, and no more of it than allowed', () => {
  const made: string[] = [];
  const double = memoizeLatest((text: string) => (made.push(text), text + text), String, 2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(double(text), text + text);
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
});
