import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesInGuide, namesInManifest, read } from './element-guides.ts';

const GOAL = /^connect-goal$/;
const guide = read('docs/goal.md');

test('the guide to the goal names every attribute, part and event, and no other', () => {
  assert.deepEqual(namesInGuide(guide, 'Attributes'), namesInManifest(GOAL, 'attributes'));
  for (const list of ['cssParts', 'events'] as const)
    for (const name of namesInManifest(GOAL, list)) assert.ok(guide.includes(`\`${name}\``), name);
});
