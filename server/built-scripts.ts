import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the built `connect.js`. The npm package has another version of this module, with a
 * folder of its own (`packages/publish/server-package.ts`).
 */
export const SCRIPTS_FOLDER = fileURLToPath(new URL('../packages/elements/dist', import.meta.url));

const elementsPackage = new URL('../packages/elements/package.json', import.meta.url);

/** The version in `/v{version}/connect.js`, which is that of the elements package. */
export const SCRIPTS_VERSION = (
  JSON.parse(readFileSync(elementsPackage, 'utf8')) as { version: string }
).version;
