import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Named {
  name: string;
}

interface ElementDescription {
  tagName?: string;
  attributes?: Named[];
  events?: Named[];
  cssParts?: Named[];
  cssProperties?: Named[];
}

const { modules } = JSON.parse(read('packages/elements/custom-elements.json')) as {
  modules: { declarations: ElementDescription[] }[];
};

/** The elements in the manifest, by tag. */
export const ELEMENTS: ReadonlyMap<string, ElementDescription> = new Map(
  modules
    .flatMap(({ declarations }) => declarations)
    .flatMap((item) => (item.tagName ? [[item.tagName, item]] : [])),
);

/** The names that the elements with a matching tag have in the manifest, sorted and each once. */
export function namesInManifest(
  tags: RegExp,
  list: 'attributes' | 'events' | 'cssParts' | 'cssProperties',
): string[] {
  const elements = [...ELEMENTS].filter(([tag]) => tags.test(tag));
  const names = elements.flatMap(([, element]) => (element[list] ?? []).map(({ name }) => name));
  assert.ok(names.length > 0, `${tags} ${list}`);
  return [...new Set(names)].sort();
}

/** The names in the first column of the tables below a heading of a guide, sorted. */
export function namesInGuide(guide: string, heading: string): string[] {
  const section = guide.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!).sort();
}
