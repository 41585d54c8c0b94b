import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFiles } from '@connect-embed/api/reference-files';

/** Writes the API reference, which is the same page as `/docs` of the API, into a folder. */
export function writeReference(folder: string): void {
  const { texts, scalarFolder } = referenceFiles('http://localhost:4000');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  cpSync(scalarFolder, join(folder, 'scalar'), {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || /(?:standalone\.esm|chunks\/[\w.-]+)\.js$/.test(path),
  });
}
