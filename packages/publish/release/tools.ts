/**
 * Tools that only a release needs: changesets, and the comparisons of element manifests and OpenAPI
 * documents. They have a lock file of their own and are installed when they are first used, so that
 * `npm ci` of the repository does without their packages.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = join(import.meta.dirname, 'tools');
const LOCK = join(FOLDER, 'package-lock.json');
/** Written by npm at the end of an installation. */
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

/** Installs the tools, unless those of the lock file are installed already. */
export function installReleaseTools(): void {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: FOLDER,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/**
 * Imports a module of an installed tool.
 *
 * @param path below `node_modules`
 */
export const importTool = async (path: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(FOLDER, 'node_modules', path)).href)) as Record<string, unknown>;

/** The executable of changesets. */
export const CHANGESET = join(FOLDER, 'node_modules/.bin/changeset');
