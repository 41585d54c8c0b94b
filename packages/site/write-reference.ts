import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { referenceFiles } from '@connect-embed/api/reference-files';

/** Writes the API reference, which is the same page as `/docs` of the API, into a folder. */
export function writeReference(folder: string): void {
  const { texts, swaggerUi } = referenceFiles('http://localhost:4000');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  for (const file of swaggerUi) cpSync(file, join(folder, 'swagger-ui', basename(file)));
}
