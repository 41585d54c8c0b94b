import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guide = read('docs/tables.md');

interface ElementDescription {
  tagName?: string;
  attributes?: { name: string }[];
  events?: { name: string }[];
  cssParts?: { name: string }[];
  cssProperties?: { name: string }[];
}

const { modules } = JSON.parse(read('packages/elements/custom-elements.json')) as {
  modules: { declarations: ElementDescription[] }[];
};
const TABLES = /^connect-(donations|donors|payouts)$/;
const DETAILS = /-details$/;
const elements = modules
  .flatMap(({ declarations }) => declarations)
  .filter(({ tagName = '' }) => TABLES.test(tagName) || DETAILS.test(tagName));

/** Returns the names in the manifest for the matching elements, without duplicates. */
const known = (tags: RegExp, list: 'attributes' | 'events' | 'cssParts' | 'cssProperties') => [
  ...new Set(
    elements
      .filter(({ tagName }) => tags.test(tagName!))
      .flatMap((element) => (element[list] ?? []).map(({ name }) => name)),
  ),
];

/** Returns the names in the first column of the tables under a heading. */
const named = (heading: string) =>
  [
    ...guide
      .split(`## ${heading}`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| `([\w-]+)`/gm),
  ].map(([, name]) => name!);

const sorted = (names: readonly string[]) => [...new Set(names)].sort();

describe('the guide to tables and details', () => {
  test('names every attribute of the tables, and no other', () => {
    const attributes = named('Attributes of the tables').filter((name) => !TABLES.test(name));
    assert.deepEqual(sorted(attributes), sorted(known(TABLES, 'attributes')));
  });

  test('names every attribute that only the details elements have', () => {
    const ownAttributes = known(DETAILS, 'attributes').filter(
      (name) => !known(TABLES, 'attributes').includes(name),
    );
    assert.deepEqual(sorted(named('Details')), sorted(ownAttributes));
  });

  test('names every event, and those of the session', () => {
    const session = ['connect-session-expired', 'connect-session-refreshed'];
    assert.deepEqual(sorted(named('Events')), sorted([...known(/./, 'events'), ...session]));
  });

  test('names every custom property and every part', () => {
    assert.deepEqual(sorted(named('Appearance')), sorted(known(/./, 'cssProperties')));
    const parts = guide.split('Parts of tables:')[1]!.split('\n## ')[0]!;
    const [ofTables, ofDetails] = parts
      .split('Of details:')
      .map((text) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!));
    assert.deepEqual(sorted(ofTables!), sorted(known(TABLES, 'cssParts')));
    assert.deepEqual(sorted(ofDetails!), sorted(known(DETAILS, 'cssParts')));
  });
});
