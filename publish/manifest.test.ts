import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { elementsOf, analyzeManifest, readManifest, type ElementDeclaration } from './manifest.ts';
import { reactComponents } from './react-components.ts';
import { sourcesOf } from './element-sources.ts';

const SOURCES = join(import.meta.dirname, '../packages/elements/src');
const manifest = readManifest();

/** Told on the provider, or on the page: whatever table's session it is. */
const OF_THE_PROVIDER = 'ConnectSessionEvent';

/** Tools that only donations have: `tables/table-features.ts`, `#asks`. */
const OF_DONATIONS = /tables\/(filters|totals|chart)/;

/** One record borrows a table's words and cells, and never stands as a table. */
const OF_TABLES = /internal\/table-view\.ts|tables\/(table-features|paging|table-element)/;

/** A table asks its provider to follow the page's colors: the attribute is the provider's. */
const OF_A_PROVIDER = /tables\/provider-theme/;

const belongsTo = (tagName: string) => (path: string) =>
  !OF_A_PROVIDER.test(path) &&
  (tagName === 'connect-donations' || !OF_DONATIONS.test(path)) &&
  (!tagName.endsWith('-details') || !OF_TABLES.test(path));

/** Not in a template, but in the tag: cells for a column. */
const CELLS = /^cell:/;

/** The card's, whose names are made anew for each form. */
const MADE_NAME = /^\$/;

/** Where a file makes its parts by itself, without a template. */
const partsMade = (texts: string[]) => [
  ...all(texts, /\.part\.add\('([\w-]+)'\)/g),
  ...all(
    texts.filter((text) => text.includes("setAttribute('part'")),
    /\bmake\(\s*'\w+',\s*'([\w-]+)'/g,
  ),
];

/** Asked of what a page puts into a table's cell, not of the element. */
const OF_HTML = ['contenteditable', 'controls', 'href', 'tabindex'];

/** Attributes that no property stands for: read by name, observed by the browser, or in a style. */
const attributesRead = (texts: string[]) => [
  ...all(texts, /\[([\w-]+)\](?=[\w,[\]-]*';)/g),
  ...all(all(texts, /observedAttributes = \[([^\]]*)\]/g), /'([\w-]+)'/g),
  ...all(texts, /\bhost\.getAttribute\('([\w-]+)'\)/g),
  ...all(texts, /:host\(\[(theme)=/g),
];

/** Every match of a pattern's one group, once, in order. */
function all(texts: Iterable<string>, pattern: RegExp): string[] {
  const found = [...texts].flatMap((text) =>
    [...text.matchAll(pattern)].map(([, name]) => name ?? ''),
  );
  return [...new Set(found)].sort();
}

const named = (list: readonly { name: string }[] = []) => list.map(({ name }) => name).sort();

/** What an event class is called on a page; `*` where its name has a part that varies. */
const EVENT_NAMES = new Map(
  globSync('*events.ts', { cwd: SOURCES }).flatMap((file) =>
    [
      ...readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /class (\w+) extends (?:Connect)?Event\b(?:(?!\bclass )[^])*?super\(['`]([^'`]+)['`]/g,
      ),
    ].map(([, name, event]) => [name!, event!.replace(/\$\{\w+\}/, '*')] as const),
  ),
);

/** Classes of the events that an element's sources dispatch. */
const dispatched = ({ tagName }: ElementDeclaration, texts: Iterable<string>) =>
  all(texts, /dispatchEvent\(\s*new (?:[\w#]+\.)*(Connect\w+Event)\(/g).filter(
    (name) => name !== OF_THE_PROVIDER || tagName === 'connect-provider',
  );

test('the manifest is what the sources say', async () => {
  assert.deepEqual(
    readManifest(),
    JSON.parse(JSON.stringify(await analyzeManifest())),
    'custom-elements.json is old: `npm run manifest` writes it.',
  );
});

test('every tag that is registered is in the manifest', () => {
  const files = ['define.ts', 'internal/define-form.ts'];
  const defining = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  const tags = elementsOf(manifest).map(({ tagName }) => tagName);
  assert.deepEqual(tags.sort(), all(defining, /'(connect-[\w-]+)': /g));
});

test('every element has a door of its own, and is behind the common one', () => {
  const index = readFileSync(join(SOURCES, 'index.ts'), 'utf8');
  for (const { name, tagName } of elementsOf(manifest)) {
    assert.ok(index.includes(`export { ${name} } from './${tagName}.ts';`), `index.ts: ${name}`);
    assert.ok(existsSync(join(SOURCES, `define/${tagName}.ts`)), `define/${tagName}.ts`);
  }
});

test('the components of React are made from the manifest', async () => {
  for (const [name, text] of await reactComponents(manifest)) {
    const file = join(import.meta.dirname, '../packages/react/src', name);
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
    test('has every event that is dispatched, of its class, and no other', () => {
      const classes = dispatched(element, texts);
      assert.deepEqual([...new Set(element.events?.map(({ type }) => type!.text))].sort(), classes);
      for (const { name, type } of element.events ?? []) {
        const [before, after = name] = EVENT_NAMES.get(type!.text)!.split('*');
        assert.ok(name.startsWith(before!) && name.endsWith(after), `${name}: ${type!.text}`);
      }
    });

    test('has every part of its templates, and no other', () => {
      const parts = new Set([...all(texts, /\bpart="([\w-]+)"/g), ...partsMade(texts)]);
      assert.deepEqual(named(element.cssParts), [...parts].sort());
    });

    test('has every custom property of its styles, and no other', () => {
      const used = all(texts, /var\((--connect-[\w-]+)/g);
      assert.deepEqual(named(element.cssProperties), used);
    });

    test('has every slot of its templates, and no other', () => {
      const created = texts.some((text) => text.includes("createElement('slot'),")) ? [''] : [];
      const slots = all(texts, /<slot(?: name=(?:"|(?=\$))([^">]*)"?|)>/g);
      const inTemplates = named(element.slots).filter((name) => !CELLS.test(name));
      assert.deepEqual(inTemplates, [...created, ...slots.filter((name) => !MADE_NAME.test(name))]);
    });

    test('has every attribute without a property, and no other', () => {
      const { attributes = [] } = element;
      const isProperty = (name: string) =>
        attributes.some((item) => item.name === name && item.fieldName);
      const read = new Set(attributesRead(texts).filter((name) => !isProperty(name)));
      for (const name of OF_HTML) read.delete(name);
      assert.deepEqual(named(attributes.filter(({ fieldName }) => !fieldName)), [...read].sort());
    });

    test('says something of all', () => {
      const { attributes, members, events, slots, cssParts, cssProperties } = element;
      const lists = [attributes, members, events, slots, cssParts, cssProperties];
      const silent = lists.flatMap((list) => list ?? []).filter(({ description }) => !description);
      assert.deepEqual(named(silent), []);
    });
  });
}
