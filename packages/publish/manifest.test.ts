import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  classOf,
  elementsOf,
  analyzeManifest,
  readManifest,
  type ElementDeclaration,
} from './manifest.ts';
import { reactComponents } from './react-components.ts';
import { sourcesOf } from './element-sources.ts';

const SOURCES = join(import.meta.dirname, '../elements/src');
const manifest = readManifest();

/** Class of the event that the provider or the page dispatches, not the table. */
const PROVIDER_EVENT = 'ConnectSessionEvent';

/**
 * Matches files with features of the donations table only, which `tables/table-features.ts` loads.
 */
const DONATIONS_ONLY = /tables\/(totals|chart)/;

/**
 * Matches files with table features from which the single-resource elements (`*-details`) import
 * code, although they do not have these features.
 */
const TABLES_ONLY = /tables\/(table-view|table-features|paging|table-element)/;

/**
 * Matches the file in which tables read the `theme` attribute of their provider. It is not an
 * attribute of the tables.
 */
const PROVIDER_THEME = /tables\/provider-theme/;

const belongsTo = (tagName: string) => (path: string) =>
  !PROVIDER_THEME.test(path) &&
  (tagName === 'connect-donations' || !DONATIONS_ONLY.test(path)) &&
  (!tagName.endsWith('-details') || !TABLES_ONLY.test(path));

/**
 * Matches slots of light DOM content (cell templates of a column), which are in no template of the
 * element.
 */
const CELLS = /^cell-/;

/** Matches the slot of the card fields, whose name is generated for each form. */
const GENERATED_NAME = /^\$/;

/** Returns the parts that a file adds without a template. */
const partsCreated = (texts: string[]) => [
  ...allMatches(texts, /\.part\.add\('([\w-]+)'\)/g),
  ...allMatches(
    texts.filter((text) => text.includes("setAttribute('part'")),
    /\bmake\(\s*'\w+',\s*'([\w-]+)'/g,
  ),
];

/** Attributes that are checked on the content that a page puts into a cell, not on the element. */
const HTML_ATTRIBUTES = ['contenteditable', 'controls', 'href', 'tabindex'];

/** Returns the attributes that an element reads by name, observes, or matches in a style. */
const attributesRead = (texts: string[]) => [
  ...allMatches(texts, /\[([\w-]+)\](?=[\w,[\]-]*';)/g),
  ...allMatches(allMatches(texts, /observedAttributes = \[([^\]]*)\]/g), /'([\w-]+)'/g),
  ...allMatches(texts, /\bhost\.getAttribute\('([\w-]+)'\)/g),
  ...allMatches(texts, /:host\(\[(theme)=/g),
];

/** Returns every match of the pattern's only group, unique and sorted. */
function allMatches(texts: Iterable<string>, pattern: RegExp): string[] {
  const found = [...texts].flatMap((text) =>
    [...text.matchAll(pattern)].map(([, name]) => name ?? ''),
  );
  return [...new Set(found)].sort();
}

const named = (list: readonly { name: string }[] = []) => list.map(({ name }) => name).sort();

/** DOM event names by event class; `*` where a name has a variable part. */
const EVENT_NAMES = new Map(
  globSync('*events.ts', { cwd: SOURCES }).flatMap((file) =>
    [
      ...readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /class (\w+)(?:<[^{]*>)? extends (?:Connect)?Event\b(?:(?!\bclass )[^])*?super\(['`]([^'`]+)['`]/g,
      ),
    ].map(([, name, event]) => [name!, event!.replace(/\$\{\w+\}/, '*')] as const),
  ),
);

/** Returns the event classes that an element's sources dispatch. */
const dispatched = ({ tagName }: ElementDeclaration, texts: Iterable<string>) =>
  allMatches(texts, /dispatchEvent\(\s*new (?:[\w#]+\.)*(Connect\w+Event)\(/g).filter(
    (name) => name !== PROVIDER_EVENT || tagName === 'connect-provider',
  );

test('the manifest is up to date with the sources', async () => {
  assert.deepEqual(
    readManifest(),
    JSON.parse(JSON.stringify(analyzeManifest())),
    'custom-elements.json is old: `npm run manifest` writes it.',
  );
});

test('every registered tag is in the manifest', () => {
  const files = ['define.ts', 'form/define-form.ts'];
  const defining = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  const tags = elementsOf(manifest).map(({ tagName }) => tagName);
  assert.deepEqual(tags.sort(), allMatches(defining, /'(connect-[\w-]+)': /g));
});

test('every element has its own module and is exported by index.ts', () => {
  const index = readFileSync(join(SOURCES, 'index.ts'), 'utf8');
  for (const { name, tagName } of elementsOf(manifest)) {
    assert.ok(index.includes(`export { ${name} } from './${tagName}.ts';`), `index.ts: ${name}`);
    assert.ok(existsSync(join(SOURCES, `define/${tagName}.ts`)), `define/${tagName}.ts`);
  }
});

test('the React components are up to date with the manifest', async () => {
  for (const [name, text] of await reactComponents(manifest)) {
    const file = join(import.meta.dirname, '../react/src', name);
    assert.ok(existsSync(file), `${name}: \`npm run manifest\` writes it.`);
    assert.equal(
      readFileSync(file, 'utf8'),
      text,
      `${name} is old: \`npm run manifest\` writes it.`,
    );
  }
});

for (const element of elementsOf(manifest)) {
  const { tagName } = element;
  const texts = [...sourcesOf(SOURCES, tagName, belongsTo(tagName)).values()];

  describe(`<${tagName}> in the manifest`, () => {
    test('has every dispatched event with its class, and no other', () => {
      const classes = dispatched(element, texts);
      assert.deepEqual([...new Set(element.events?.map(classOf))].sort(), classes);
      for (const event of element.events ?? []) {
        const { name } = event;
        const [before, after = name] = EVENT_NAMES.get(classOf(event))!.split('*');
        assert.ok(name.startsWith(before!) && name.endsWith(after), `${name}: ${classOf(event)}`);
      }
    });

    test('has every part of its templates, and no other', () => {
      const parts = new Set([...allMatches(texts, /\bpart="([\w-]+)"/g), ...partsCreated(texts)]);
      assert.deepEqual(named(element.cssParts), [...parts].sort());
    });

    test('has every custom property of its styles, and no other', () => {
      const used = allMatches(texts, /var\((--connect-[\w-]+)/g);
      assert.deepEqual(named(element.cssProperties), used);
    });

    test('has every slot of its templates, and no other', () => {
      const slots = allMatches(texts, /<slot(?: name=(?:"|(?=\$))([^">]*)"?|)[ >]/g);
      const inTemplates = named(element.slots).filter((name) => !CELLS.test(name));
      const ownSlots = slots.filter((name) => !GENERATED_NAME.test(name));
      assert.deepEqual(inTemplates, ownSlots);
    });

    test('has every attribute without a property, and no other', () => {
      const { attributes = [] } = element;
      const isProperty = (name: string) =>
        attributes.some((item) => item.name === name && item.fieldName);
      const read = new Set(attributesRead(texts).filter((name) => !isProperty(name)));
      for (const name of HTML_ATTRIBUTES) read.delete(name);
      assert.deepEqual(named(attributes.filter(({ fieldName }) => !fieldName)), [...read].sort());
    });

    test('describes everything', () => {
      const { attributes, members, events, slots, cssParts, cssProperties } = element;
      const lists = [attributes, members, events, slots, cssParts, cssProperties];
      const undescribed = lists
        .flatMap((list) => list ?? [])
        .filter(({ description }) => !description);
      assert.deepEqual(named(undescribed), []);
    });
  });
}
