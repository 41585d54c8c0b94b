import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** The module that a page imports. It imports the other files relative to its own URL. */
const ENTRY = 'standalone.esm.js';

/** Matches the files of the browser build: the module and its chunks. */
const BROWSER_FILE = /^(?:standalone\.esm|chunks\/[\w.-]+)\.js$/;

/** Scalar's browser build in its npm package: docs/decisions/0022-openapi-from-routes.md */
export interface Scalar {
  /** URL path of the module below the folder of all versions, such as `1.72.1/standalone.esm.js`. */
  entry: string;
  version: string;
  /**
   * Returns a file, compressed with gzip. The file is read, compressed and cached at the first request,
   * so that the API needs no memory for documentation that nobody opens.
   *
   * @returns undefined if the file is not part of the browser build
   */
  read(file: string): Promise<Buffer<ArrayBuffer>> | undefined;
}

/** Returns Scalar's browser build; undefined if the npm package is not installed. */
export function findScalar(): Scalar | undefined {
  const manifest = findPackageFile();
  if (!manifest) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(dirname(manifest), 'dist/browser');
  const files = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  return {
    version,
    entry: `${version}/${ENTRY}`,
    read(file) {
      if (!BROWSER_FILE.test(file)) return undefined;
      const cached = files.get(file);
      if (cached) return cached;
      const compressed = readFile(join(folder, file)).then((bytes) => compress(bytes));
      files.set(file, compressed);
      compressed.catch(() => files.delete(file)); // Failed reads are not cached.
      return compressed;
    },
  };
}

function findPackageFile(): string | undefined {
  try {
    return findPackageJSON('@scalar/api-reference', import.meta.url);
  } catch {
    return undefined;
  }
}
