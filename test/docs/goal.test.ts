import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const guide = read('docs/goal.md');
const element = read('packages/elements/src/connect-goal.ts');
const allMatches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, item]) => item!);

test('the guide to the goal names every attribute, part and event, and no other', () => {
  const attributes = allMatches(element, /^  @property\(.*\) (\w+)/gm);
  assert.ok(attributes.includes('campaign'));
  assert.deepEqual(allMatches(guide, /^\| `([\w-]+)`/gm).sort(), attributes.sort());
  const partsAndEvents = allMatches(element, /^ \* @(?:csspart|fires \{\w+\}) ([\w-]+)/gm);
  assert.ok(partsAndEvents.includes('meter') && partsAndEvents.includes('connect-ready'));
  for (const name of partsAndEvents) assert.ok(guide.includes(`\`${name}\``), name);
});
