import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface PackageJson {
  [field: string]: unknown;
  version: string;
  dependencies?: Record<string, string>;
  exports?: Record<string, string>;
}

/** Reads `package.json` of a workspace, whose folder is relative to the root. */
export const readPackageJson = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PackageJson;
