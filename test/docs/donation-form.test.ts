import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guide = read('docs/donation-form.md') + read('docs/donation-form-special-cases.md');
const element = read('packages/elements/src/connect-donate.ts');

/** Returns what a pattern finds in a text, which must be something. */
function matchesIn(text: string, pattern: RegExp): string[] {
  const found = [...text.matchAll(pattern)].map(([, name]) => name!);
  assert.ok(found.length > 0, String(pattern));
  return found;
}

/** Returns the names in the first column of the table under a heading. */
const named = (heading: string) =>
  matchesIn(guide.split(`## ${heading}`)[1]!.split('\n## ')[0]!, /^\| `([\w-]+)`/gm);

const matches = (pattern: RegExp) => matchesIn(element, pattern);

describe('the guide to the donation form', () => {
  test('names every attribute of the element, and no other', () => {
    assert.deepEqual(named('Attributes').sort(), matches(/^  @property\(.*\) (\w+)/gm).sort());
  });

  test('names every event of the element, and no other', () => {
    assert.deepEqual(named('Events').sort(), matches(/@fires \{\w+\} ([\w-]+)/g).sort());
  });

  test('names every custom property, with its Stripe equivalent, and every part', () => {
    assert.deepEqual(named('Appearance').sort(), matches(/@cssproperty \[([\w-]+)/g).sort());
    const source = read('packages/elements/src/form/apply-appearance.ts');
    const equivalents = [...guide.matchAll(/^\| `(--[\w-]+)`\s*\| `(\w+)`/gm)];
    assert.ok(equivalents.length > 0);
    for (const [, cssProperty, stripeVariable] of equivalents)
      assert.ok(source.includes(`${stripeVariable}: '${cssProperty}'`), cssProperty);
    for (const part of matches(/@csspart ([\w-]+)/g))
      assert.ok(guide.includes(`\`${part}\``), part);
  });

  test('uses only documented attributes in its examples', () => {
    const known = new Set([...named('Attributes'), 'id']);
    const tags = [...guide.matchAll(/<connect-donate ([^>]+)>/g)];
    assert.ok(tags.length > 4);
    for (const [, text] of tags) {
      for (const [, name] of text!.matchAll(/([\w-]+)="/g)) assert.ok(known.has(name!), name);
    }
  });
});
