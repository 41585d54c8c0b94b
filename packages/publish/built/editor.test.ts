import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { CSS_DATA, HTML_DATA, type CssData, type HtmlData } from '../editor-data.ts';
import { elementsOf, readManifest } from '../manifest.ts';
import { InstalledSite } from './installed-site.ts';

const site = new InstalledSite();
after(() => site.remove());

const read = <Data>(file: string) =>
  JSON.parse(
    readFileSync(join(site.folder, 'node_modules/@connect-embed/elements', file), 'utf8'),
  ) as Data;
const elements = elementsOf(readManifest());
const named = (entries: readonly { name: string }[] = []) => entries.map(({ name }) => name).sort();
const unique = (names: readonly string[]) => [...new Set(names)].sort();

describe('the data for editors', () => {
  const html = read<HtmlData>(HTML_DATA);
  const css = read<CssData>(CSS_DATA);

  for (const { tagName, attributes, events, slots } of elements) {
    test(`describes <${tagName}>: every attribute, event and slot`, () => {
      const tag = html.tags.find(({ name }) => name === tagName)!;
      assert.deepEqual(named(tag.attributes), named(attributes));
      for (const { name, description } of tag.attributes) assert.ok(description, name);
      const documented = [...named(events), ...named(slots).filter(Boolean)];
      for (const name of documented) assert.ok(tag.description!.includes(`**${name}**`), name);
      assert.ok(!tag.description!.includes('undefined'));
    });
  }

  test('offers the enum values of an attribute, but no type names', () => {
    const attributes = html.tags.flatMap((tag) => tag.attributes);
    const display = attributes.find(({ name }) => name === 'display')!;
    assert.deepEqual(named(display.values), ['button', 'inline', 'modal', 'sticky']);
    const values = attributes.flatMap((item) => named(item.values));
    assert.deepEqual(
      values.filter((value) => !/^[a-z][\w-]*$/.test(value)),
      [],
    );
  });

  test('has every custom property and every part once', () => {
    const properties = elements.flatMap(({ cssProperties }) => named(cssProperties));
    assert.deepEqual(named(css.properties), unique(properties));
    const parts = elements.flatMap(({ cssParts }) => named(cssParts));
    assert.deepEqual(named(css.pseudoElements), unique(parts.map((part) => `::part(${part})`)));
  });
});
