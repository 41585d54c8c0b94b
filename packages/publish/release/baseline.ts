import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFiles } from '@connect-embed/api/reference-files';
import { readManifest } from '../manifest.ts';
import { emitDeclarations, type Declarations } from './declarations.ts';

/** The folder with the public interface of the last release. In the tree, because a shallow clone has no tags. */
const BASELINE = join(import.meta.dirname, 'baseline');
const MANIFEST = join(BASELINE, 'custom-elements.json');
const DOCUMENT = join(BASELINE, 'openapi.json');
const DECLARATIONS = join(BASELINE, 'client-declarations.json');

/** What a release must not break without saying so. */
export interface PublicInterface {
  /** The manifest of the elements. */
  manifest: unknown;
  /** The OpenAPI document. */
  document: unknown;
  /** The declarations of the client. */
  declarations: Declarations;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Returns undefined before the first release. */
export const readBaseline = (): PublicInterface | undefined =>
  existsSync(MANIFEST)
    ? {
        manifest: readJson(MANIFEST),
        document: readJson(DOCUMENT),
        declarations: readJson(DECLARATIONS) as Declarations,
      }
    : undefined;

/** Describes the public interface of the sources. */
export const describeInterface = (): PublicInterface => ({
  manifest: readManifest(),
  document: JSON.parse(referenceFiles('http://localhost:4000').texts['openapi.json']!),
  declarations: emitDeclarations(),
});

/** Keeps the public interface of a release, for the comparison of the next one. */
export function writeBaseline({ manifest, document, declarations }: PublicInterface): void {
  mkdirSync(BASELINE, { recursive: true });
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(DOCUMENT, `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(DECLARATIONS, `${JSON.stringify(declarations, null, 2)}\n`);
}
