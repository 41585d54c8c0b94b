import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** The files of Swagger UI that a page loads, with their types. */
export const SWAGGER_UI_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
};

/** Swagger UI in its npm package: docs/decisions/0022-openapi-from-routes.md */
export interface SwaggerUi {
  version: string;
  /**
   * Returns a file, compressed with gzip. The file is read, compressed and cached at the first request,
   * so that the API needs no memory for documentation that nobody opens.
   *
   * @returns undefined if a page does not load the file
   */
  read(file: string): Promise<Buffer<ArrayBuffer>> | undefined;
}

/** A copy of the npm package with these files only, which `connect-embed` contains. */
const COPY = fileURLToPath(new URL('swagger-ui', import.meta.url));

/** Returns Swagger UI; undefined if the npm package is not installed. */
export function findSwaggerUi(): SwaggerUi | undefined {
  const folder = swaggerUiFolder();
  if (!folder) return undefined;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const files = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  return {
    version,
    read(file) {
      if (!Object.hasOwn(SWAGGER_UI_FILES, file)) return undefined;
      const cached = files.get(file);
      if (cached) return cached;
      const compressed = readFile(join(folder, file)).then((bytes) => compress(bytes));
      files.set(file, compressed);
      compressed.catch(() => files.delete(file)); // Failed reads are not cached.
      return compressed;
    },
  };
}

export function swaggerUiFolder(): string | undefined {
  if (existsSync(COPY)) return COPY;
  try {
    return dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  } catch {
    return undefined;
  }
}
