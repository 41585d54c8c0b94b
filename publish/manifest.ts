import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import type { CustomElement, Package } from 'custom-elements-manifest/schema.d.ts';

const ELEMENTS = join(import.meta.dirname, '../packages/elements');
export const MANIFEST = join(ELEMENTS, 'custom-elements.json');

/** What a page may use of the elements, as the file says that goes to the registry. */
export const readManifest = () => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Package;

/** The same, read from the sources anew. */
export const analyzeManifest = (): Promise<Package> =>
  cli({ argv: ['analyze', '--quiet'], cwd: ELEMENTS, noWrite: true });

/** An element of the manifest: its public face, by its tag. */
export type ElementDeclaration = CustomElement & { tagName: string };

/** Every element, in the order of their tags. */
export const elementsOf = ({ modules }: Package): ElementDeclaration[] =>
  modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter((item) => 'tagName' in item && !!item.tagName) as ElementDeclaration[];

/** The module of the package that exports a class. */
export function moduleOf({ modules }: Package, name: string): string {
  const module = modules.find(({ declarations }) =>
    declarations?.some((item) => item.name === name),
  );
  if (!module) throw new Error(`${name}: no module of the manifest has it.`);
  return module.path;
}
