import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namesInGuide, namesInManifest, read } from './element-guides.ts';

const TABLES = /^connect-(donations|donors|payouts)$/;
const DETAILS = /-details$/;
const BOTH = new RegExp(`${TABLES.source}|${DETAILS.source}`);
const guide = read('docs/tables.md');

describe('the guide to tables and details', () => {
  test('names every attribute of the tables, and no other', () => {
    const attributes = namesInGuide(guide, 'Attributes of the tables');
    assert.deepEqual(
      attributes.filter((name) => !TABLES.test(name)),
      namesInManifest(TABLES, 'attributes'),
    );
  });

  test('names every attribute that only the details elements have', () => {
    const ofTables = namesInManifest(TABLES, 'attributes');
    assert.deepEqual(
      namesInGuide(guide, 'Details'),
      namesInManifest(DETAILS, 'attributes').filter((name) => !ofTables.includes(name)),
    );
  });

  test('names every event, and those of the session', () => {
    const session = ['connect-session-expired', 'connect-session-refreshed'];
    assert.deepEqual(
      namesInGuide(guide, 'Events'),
      [...new Set([...namesInManifest(BOTH, 'events'), ...session])].sort(),
    );
  });

  test('names every custom property and every part', () => {
    assert.deepEqual(namesInGuide(guide, 'Appearance'), namesInManifest(BOTH, 'cssProperties'));
    const parts = guide.split('Parts of tables:')[1]!.split('\n## ')[0]!;
    const [ofTables, ofDetails] = parts
      .split('Of details:')
      .map((text) =>
        [...new Set([...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!))].sort(),
      );
    assert.deepEqual(ofTables, namesInManifest(TABLES, 'cssParts'));
    assert.deepEqual(ofDetails, namesInManifest(DETAILS, 'cssParts'));
  });
});
