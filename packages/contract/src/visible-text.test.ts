import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasVisibleText, trimToVisible } from './visible-text.ts';

test('a text is visible if it has a letter, a sign or an emoji', () => {
  for (const text of ['a', ' ·', '🎉', 'می\u200cخواهم'])
    assert.equal(hasVisibleText(text), true, text);
  for (const text of ['', ' \u00a0', '\u200b\u2060\u00ad', '\u2800', '\u3164\uffa0\u115f'])
    assert.equal(hasVisibleText(text), false, JSON.stringify(text));
});

test('a trimmed text keeps what an emoji or a name needs, and is empty without a visible character', () => {
  assert.equal(trimToVisible(' ❤\ufe0f\n'), '❤\ufe0f');
  assert.equal(trimToVisible(' \u200b\u2060 '), '');
});
