import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from 'custom-elements-manifest/schema.d.ts';

export const HTML_DATA = 'vscode.html-custom-data.json';
export const CSS_DATA = 'vscode.css-custom-data.json';

interface NamedEntry {
  name: string;
  description?: string;
}

/** Custom data for HTML in VS Code. */
export interface HtmlData {
  tags: (NamedEntry & { attributes: (NamedEntry & { values?: NamedEntry[] })[] })[];
}

/** Custom data for CSS in VS Code. */
export interface CssData {
  properties: NamedEntry[];
  pseudoElements: NamedEntry[];
}

/** Writes both custom data files into a package, from the manifest. */
export async function writeEditorData(manifest: Package, outdir: string): Promise<void> {
  const { generateVsCodeCustomElementData } = await import('custom-element-vs-code-integration');
  const options = { outdir, hideLogs: true, hideMethodDocs: true };
  generateVsCodeCustomElementData(manifest as never, options);
  rewriteJson<HtmlData>(join(outdir, HTML_DATA), removeTypeValues);
  rewriteJson<CssData>(join(outdir, CSS_DATA), removeDuplicates);
}

function rewriteJson<Data>(file: string, transform: (data: Data) => Data) {
  const data = JSON.parse(readFileSync(file, 'utf8')) as Data;
  writeFileSync(file, `${JSON.stringify(transform(data), null, 2)}\n`);
}

/**
 * Corrects the generator's output: it offers type names and the empty string as values, and says
 * that a default is undefined.
 */
function removeTypeValues(data: HtmlData): HtmlData {
  for (const tag of data.tags) {
    tag.description = tag.description?.replaceAll(' _(default: undefined)_', '') ?? '';
    for (const attribute of tag.attributes) {
      attribute.values = attribute.values?.filter(({ name }) => isEnumValue(name)) ?? [];
    }
  }
  return data;
}

/**
 * Enum values start with a lower-case letter; type names start with a capital, and `''` with a
 * quote.
 */
const isEnumValue = (name: string) => /^[a-z]/.test(name);

/** Removes duplicates: several elements share properties and parts. */
const removeDuplicates = ({ properties, pseudoElements, ...rest }: CssData): CssData => ({
  ...rest,
  properties: uniqueByName(properties),
  pseudoElements: uniqueByName(pseudoElements),
});

const uniqueByName = (entries: readonly NamedEntry[]) =>
  [...new Map([...entries].reverse().map((item) => [item.name, item])).values()].reverse();
