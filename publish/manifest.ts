import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import type { CustomElement, Event, Package } from 'custom-elements-manifest/schema.d.ts';

const ELEMENTS = join(import.meta.dirname, '../packages/elements');
export const MANIFEST = join(ELEMENTS, 'custom-elements.json');

/** Reads the published manifest of the elements (`custom-elements.json`). */
export const readManifest = () => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Package;

/** Generates the manifest from the sources. */
export const analyzeManifest = (): Promise<Package> =>
  cli({ argv: ['analyze', '--quiet'], cwd: ELEMENTS, noWrite: true });

/** An element in the manifest. */
export type ElementDeclaration = CustomElement & { tagName: string };

/** Returns every element, in the order of the tags. */
export const elementsOf = ({ modules }: Package): ElementDeclaration[] =>
  modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter((item) => 'tagName' in item && !!item.tagName) as ElementDeclaration[];

/** Returns the class of an event, without type arguments: `ConnectRowClickEvent`. */
export const classOf = ({ type }: Event) => type!.text.replace(/<.*/, '');

/** Returns the path of the module that declares a class. */
export function moduleOf({ modules }: Package, name: string): string {
  const module = modules.find(({ declarations }) =>
    declarations?.some((item) => item.name === name),
  );
  if (!module) throw new Error(`${name}: no module of the manifest has it.`);
  return module.path;
}
