import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** A copy of the npm package with the browser build only, which `connect-embed` contains. */
const COPY = fileURLToPath(new URL('scalar', import.meta.url));

/** Returns Scalar's browser build; undefined if the npm package is not installed. */
export function findScalar(): Scalar | undefined {
  const folder = existsSync(COPY) ? COPY : findPackage();
  if (!folder) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const files = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  return {
    version,
    entry: `${version}/${ENTRY}`,
    read(file) {
      if (!BROWSER_FILE.test(file)) return undefined;
      const cached = files.get(file);
      if (cached) return cached;
      const compressed = readFile(join(folder, 'dist/browser', file)).then((bytes) =>
        compress(bytes),
      );
      files.set(file, compressed);
      compressed.catch(() => files.delete(file)); // Failed reads are not cached.
      return compressed;
    },
  };
}

function findPackage(): string | undefined {
  try {
    // The package exports no package.json.
    return fileURLToPath(new URL('..', import.meta.resolve('@scalar/api-reference')));
  } catch {
    return undefined;
  }
}
