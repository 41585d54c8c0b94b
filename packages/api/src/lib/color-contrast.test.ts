import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import Color from 'colorjs.io';
import {
  labelColor,
  measurePairs,
  readableColor,
  type ColorRole,
  type PairName,
} from './color-contrast.ts';
import { DEFAULT_COLORS } from './form-colors.ts';

const ELEMENTS = new URL('../../../elements/src/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ELEMENTS), 'utf8');

const THEMES = ['light', 'dark'] as const;
const ROLES = ['accent', 'background', 'text'] as const;

/** Measures a pair of a form of which one color is set. */
function measure(name: PairName, theme: 'light' | 'dark', role: ColorRole, color: string) {
  const pairs = measurePairs({ ...DEFAULT_COLORS[theme], [role]: color }, theme, role);
  return pairs.find((pair) => pair.name === name)!.ratio;
}
const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.05, `${actual}, expected ${expected}`);

describe('measurePairs', () => {
  test('measures the label and the button in both themes', () => {
    close(measure('label', 'light', 'accent', '#0b6b5b'), 6.46);
    close(measure('button', 'light', 'accent', '#0b6b5b'), 6.46);
    assert.ok(measure('button', 'dark', 'accent', '#0b6b5b') < 3);
  });

  test('the label of a light button is black', () => {
    assert.ok(measure('label', 'light', 'accent', '#ffd400') > 14);
    assert.ok(measure('button', 'light', 'accent', '#ffd400') < 1.5);
  });

  test('measures text, and the hints and outlines that are derived from it', () => {
    close(measure('text', 'light', 'text', '#767676'), 4.54);
    assert.ok(measure('hints', 'light', 'text', '#767676') < 3);
    assert.ok(measure('outlines', 'light', 'text', '#767676') < 2.2);
  });

  test('measures messages, whose colors are fixed', () => {
    assert.ok(measure('messages', 'light', 'background', '#fff8ee') > 5);
    assert.ok(measure('messages', 'light', 'background', '#2b3a55') < 3);
  });

  for (const theme of THEMES) {
    test(`a form without settings can be read in the ${theme} theme`, () => {
      for (const role of ROLES)
        for (const { name, ratio, min } of measurePairs(DEFAULT_COLORS[theme], theme, role))
          assert.ok(ratio >= min, `${name}: ${ratio}`);
    });
  }

  test('the label of a button remains readable under the pointer', () => {
    const darker = /color-mix\(in oklab, var\(--_primary\) 94%, #000\)/;
    assert.match(read('form/donation-flow.styles.ts'), darker);
    assert.match(read('form/dialog.styles.ts'), darker);
    const channels = ['0', '2', '4', '6', '8', 'a', 'c', 'f'];
    for (const red of channels)
      for (const green of channels)
        for (const blue of channels) {
          const accent = `#${red}${green}${blue}`;
          if (measure('label', 'light', 'accent', accent) < 4.5) continue;
          const hovered = new Color(accent).mix('#000', 0.06, { space: 'oklab' });
          const ratio = hovered.contrastWCAG21(labelColor(accent));
          assert.ok(ratio >= 4.5, `${accent}: ${ratio}`);
        }
  });

  test('assumes the colors with which the elements draw a form', () => {
    const tokens = read('shared/tokens.styles.ts');
    assert.match(tokens, /--_primary:.*light-dark\(#0b6b5b, #6ad6bd\)/);
    assert.match(tokens, /--_background:.*light-dark\(#fff, #171b1f\)/);
    assert.match(tokens, /--_text:.*light-dark\(#1c2328, #eef2f4\)/);
    assert.match(tokens, /--_warn: light-dark\(#8a5300, #f5c26b\)/);
    assert.match(
      tokens,
      /--_muted: color-mix\(in oklab, var\(--_text\) 70%, var\(--_background\)\)/,
    );
    assert.match(
      tokens,
      /--_edge: color-mix\(in oklab, var\(--_text\) 54%, var\(--_background\)\)/,
    );
    assert.match(read('form/donation-flow.styles.ts'), /--_danger:.*#b3261e, #ffb1a8\)/);
    const ink = read('shared/text.styles.ts');
    assert.match(ink, /oklch\(from var\(--_primary\) min\(l, 0\.52\) c h\)/);
    assert.match(ink, /oklch\(from var\(--_primary\) max\(l, 0\.74\) c h\)/);
    const form = read('form/connect-donate.styles.ts');
    assert.match(
      form,
      /--_soft: color-mix\(in oklab, var\(--_primary\) 9%, var\(--_background\)\)/,
    );
    assert.match(
      form,
      /--_on-primary: oklch\(from var\(--_primary\) clamp\(0, \(0\.67 - l\) \* 1000, 1\) 0 h\)/,
    );
  });
});

describe('readableColor', () => {
  const readable = (theme: 'light' | 'dark', role: ColorRole, color: string) =>
    readableColor({ ...DEFAULT_COLORS[theme], [role]: color }, theme, role);

  test('keeps a color that can be read', () => {
    assert.equal(readable('light', 'accent', '#0b6b5b'), '#0b6b5b');
    assert.equal(readable('dark', 'accent', '#6ad6bd'), '#6ad6bd');
    assert.equal(readable('light', 'background', '#fff8ee'), '#fff8ee');
  });

  const COLORS = ['#e4572e', '#ffd400', '#777777', '#000000', '#ffffff', '#0000ff'];
  for (const theme of THEMES) {
    for (const role of ROLES) {
      test(`finds a readable ${role} color for each color of the ${theme} theme`, () => {
        for (const color of COLORS) {
          const found = readable(theme, role, color);
          assert.ok(found, color);
          const colors = { ...DEFAULT_COLORS[theme], [role]: found };
          for (const { name, ratio, min } of measurePairs(colors, theme, role))
            assert.ok(ratio >= min, `${color}, ${name}: ${ratio}`);
        }
      });
    }
  }

  test('finds none if the other colors cannot be read together', () => {
    const colors = { accent: '#0b6b5b', background: '#ffffff', text: '#fafafa' };
    assert.equal(readableColor(colors, 'light', 'background'), undefined);
  });
});
