import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate } from './interpolate.ts';

test('placeholders are replaced with values', () => {
  assert.equal(interpolate('{a} + {b} = {a}', { a: '1', b: '2' }), '1 + 2 = 1');
});

test('values of the opposite text direction are isolated', () => {
  assert.equal(interpolate('Support {name}.', { name: 'עמותה' }), 'Support \u2068עמותה\u2069.');
  assert.equal(interpolate('ادعم {name}', { name: 'ABC' }), 'ادعم \u2068ABC\u2069');
});
