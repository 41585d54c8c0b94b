import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { measureAccent, readableAccent } from './accent.ts';

const ELEMENTS = new URL('../../../../elements/src/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ELEMENTS), 'utf8');

describe('measureAccent', () => {
  test('measures the label and the button in both themes', () => {
    const { label, button } = measureAccent('#0b6b5b', 'light');
    assert.ok(Math.abs(label - 6.46) < 0.05, `${label}`);
    assert.ok(Math.abs(label - button) < 0.01);
    assert.ok(measureAccent('#0b6b5b', 'dark').button < 3);
  });

  test('the label of a light button is black', () => {
    const { label, button } = measureAccent('#ffd400', 'light');
    assert.ok(label > 14);
    assert.ok(button < 1.5);
  });

  test('assumes the colors with which the elements draw a form', () => {
    assert.match(read('shared/tokens.styles.ts'), /--_background:.*light-dark\(#fff, #171b1f\)/);
    assert.match(
      read('form/connect-donate.styles.ts'),
      /--_on-primary: oklch\(from var\(--_primary\) clamp\(0, \(0\.67 - l\) \* 1000, 1\) 0 h\)/,
    );
  });
});

describe('readableAccent', () => {
  test('keeps a color that is readable', () => {
    assert.equal(readableAccent('#0b6b5b', 'light'), '#0b6b5b');
    assert.equal(readableAccent('#6ad6bd', 'dark'), '#6ad6bd');
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`changes every other color to one that is readable in the ${theme} theme`, () => {
      for (const accent of ['#e4572e', '#ffd400', '#777777', '#000000', '#ffffff', '#0000ff']) {
        const { label, button } = measureAccent(readableAccent(accent, theme), theme);
        assert.ok(label >= 4.5 && button >= 3, `${accent}: ${label}, ${button}`);
      }
    });
  }
});
