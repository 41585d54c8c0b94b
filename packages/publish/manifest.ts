import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import type { CustomElement, Event, Package } from 'custom-elements-manifest/schema.d.ts';
import config from '../elements/custom-elements-manifest.config.mjs';

const ELEMENTS = join(import.meta.dirname, '../elements');
export const MANIFEST = join(ELEMENTS, 'custom-elements.json');

/** Reads the published manifest of the elements (`custom-elements.json`). */
export const readManifest = () => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Package;

/** Generates the manifest from the sources, without writing it: a test compares it with the published one. */
export function analyzeManifest(): Package {
  const files = globSync(config.globs, { cwd: ELEMENTS, exclude: config.exclude });
  const modules = files.map((file) =>
    ts.createSourceFile(
      file,
      readFileSync(join(ELEMENTS, file), 'utf8'),
      ts.ScriptTarget.ES2015,
      true,
    ),
  );
  return create({ modules, plugins: [...litPlugin(), ...config.plugins] });
}

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
