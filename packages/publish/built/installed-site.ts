import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LIBRARIES, OUT, type PackageName } from '../packages.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');

/**
 * Returns the path of a package's tarball, which is the file that is published.
 *
 * @param folder the folder with the packages of a release; by default those of this one
 */
export function tarballOf(name: PackageName, folder = OUT): string {
  const stem = name === 'command' ? 'connect-embed-[0-9]' : `connect-embed-${name}-`;
  const [file] = globSync(`${stem}*.tgz`, { cwd: folder });
  if (!file) throw new Error('No packages: `npm run build:packages` writes them.');
  return join(folder, file);
}

/**
 * A temporary folder with our packages, installed from their tarballs, and other packages.
 *
 * A package can resolve only the dependencies that it declares.
 */
export class InstalledSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'connect-site-'));

  constructor(packageNames: readonly string[] = []) {
    for (const name of LIBRARIES) {
      const target = join(this.folder, 'node_modules/@connect-embed', name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['-xzf', tarballOf(name), '-C', target, '--strip-components=1']);
      const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>;
      };
      Object.keys(dependencies).forEach((name) => this.#install(name));
    }
    packageNames.forEach((name) => this.#install(name));
  }

  #install(name: string) {
    if (name.startsWith('@connect-embed/')) return;
    const target = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true });
    symlinkSync(join(MODULES, name), target);
  }

  /** Deletes the folder. */
  remove() {
    rmSync(this.folder, { recursive: true });
  }
}
